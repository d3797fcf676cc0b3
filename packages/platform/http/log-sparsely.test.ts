import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { logSparsely } from './log-sparsely.ts';

it('the log contains the first failed request with its details, and then one count per code every ten seconds', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const lines: object[] = [];
  const write = (line: string) => {
    const { level: _level, time: _time, ...fields } = JSON.parse(line);
    lines.push(fields);
  };
  const log = logSparsely(pino({ base: null }, { write }));
  const fail = (code: string, times: number) => {
    for (let request = 1; request <= times; request += 1) log({ code, message: `${code}.` }, { request });
  };
  const newLines = () => lines.splice(0);
  const countOf = (code: string, times: number) => ({ code, times, msg: `${code}. It occurred ${times} more times.` });

  fail('overloaded', 3);
  fail('away', 1);
  expect(newLines()).toEqual([
    { request: 1, msg: 'overloaded.' },
    { request: 1, msg: 'away.' },
  ]);
  vi.advanceTimersByTime(10_000);
  expect(newLines()).toEqual([countOf('overloaded', 2)]);
  // The next four faults are counted in a new interval, without the two that have been logged.
  fail('overloaded', 4);
  expect(newLines()).toEqual([]);
  vi.advanceTimersByTime(10_000);
  expect(newLines()).toEqual([countOf('overloaded', 4)]);
  vi.advanceTimersByTime(10_000);
  fail('overloaded', 2);
  expect(newLines()).toEqual([{ request: 1, msg: 'overloaded.' }]);
});
