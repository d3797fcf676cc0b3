import { expect, it } from 'vitest';
import { moment, settleAll } from './dead-letters.ts';

it.each([
  ['2025-01-31', '2025-01-31T00:00:00.000Z'],
  ['2025-01-31T08:00:00+02:00', '2025-01-31T06:00:00.000Z'],
  ['2025-01-31T08:00Z', '2025-01-31T08:00:00.000Z'],
])('moment accepts a day in UTC, and a time with its time zone: %s', (text, time) => expect(moment(text)).toBe(time));

it.each(['yesterday', '2025-02-30', '2025-02-30T08:00:00Z', '2025-01-31T08:00:00', '2025', ''])(
  'moment refuses %j',
  (text) => {
    expect(() => moment(text)).toThrow('such as 2025-01-31');
  },
);

it.each([0, 1, 2, 3])(
  'settleAll settles the dead letters that existed at the start, although ingest adds %i after each request',
  async (arriving) => {
    const left = [4, 1, 0, 6];
    const asked: [number, { settled: number; left: number } | null][] = [];
    const ask = async (input: number, previous: { settled: number; left: number } | null) => {
      asked.push([input, previous]);
      // Fail if `settleAll` never stops sending requests.
      if (asked.length > 100) throw new Error('There are too many requests.');
      const before = left[input] ?? 0;
      const settled = Math.min(2, before);
      left[input] = before - settled + arriving;
      return { settled, left: before - settled };
    };
    const answers = await settleAll('Settling', [...left.keys()], ask, ({ settled }) => settled);
    expect(answers.map(({ settled }) => settled)).toEqual([2, 2, 1, 0, 2, 2, 2]);
    // Each request is given the previous response to the same input.
    expect(asked.map(([input, previous]) => [input, previous?.left])).toEqual([
      [0, undefined],
      [0, 2],
      [1, undefined],
      [2, undefined],
      [3, undefined],
      [3, 4],
      [3, 2 + arriving],
    ]);
  },
);
