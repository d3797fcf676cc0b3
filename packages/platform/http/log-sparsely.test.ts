import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CommonProblem } from './common-problems.ts';
import { logSparsely } from './log-sparsely.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('the log has the first failed request with its details, and then one count per code every ten seconds', () => {
  const lines: object[] = [];
  const stream = new Writable({
    write(line, _encoding, done) {
      const { level: _level, time: _time, pid: _pid, hostname: _hostname, ...fields } = JSON.parse(String(line));
      lines.push(fields);
      done();
    },
  });
  const log = logSparsely(pino(stream));
  const overloaded = new CommonProblem('overloaded', 'Too much.');
  const unavailable = new CommonProblem('unavailable', 'Away.');
  const fail = (problem: CommonProblem, times: number) => {
    for (let request = 1; request <= times; request += 1) log(problem, { request });
  };
  const newLines = () => lines.splice(0);
  const countOf = (code: string, message: string, times: number) => ({
    code,
    times,
    msg: `${message} It occurred ${times} more times.`,
  });

  fail(overloaded, 3);
  fail(unavailable, 1);
  expect(newLines()).toEqual([
    { request: 1, msg: 'Too much.' },
    { request: 1, msg: 'Away.' },
  ]);
  vi.advanceTimersByTime(10_000);
  expect(newLines()).toEqual([countOf('overloaded', 'Too much.', 2)]);
  // The second interval begins with the count of the first one.
  fail(overloaded, 4);
  expect(newLines()).toEqual([]);
  vi.advanceTimersByTime(10_000);
  expect(newLines()).toEqual([countOf('overloaded', 'Too much.', 4)]);
  vi.advanceTimersByTime(10_000);
  fail(overloaded, 2);
  expect(newLines()).toEqual([{ request: 1, msg: 'Too much.' }]);
});
