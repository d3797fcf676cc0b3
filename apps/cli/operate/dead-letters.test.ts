import { describe, expect, it } from 'vitest';
import { moment, settleAll } from './dead-letters.ts';

describe('moment', () => {
  it('accepts a day in UTC, and a time with its time zone', () => {
    expect(moment('2025-01-31')).toBe('2025-01-31T00:00:00.000Z');
    expect(moment('2025-01-31T08:00:00+02:00')).toBe('2025-01-31T06:00:00.000Z');
    expect(moment('2025-01-31T08:00Z')).toBe('2025-01-31T08:00:00.000Z');
  });

  it.each(['yesterday', '2025-02-30', '2025-01-31T08:00:00', '2025', ''])('refuses %j', (text) => {
    expect(() => moment(text)).toThrow('such as 2025-01-31');
  });
});

describe('settleAll', () => {
  interface Answer {
    settled: number;
    left: number;
  }

  /**
   * Settles at most `each` of the open dead letters per request. After each request, ingest adds `arriving` dead
   * letters.
   */
  async function settle(open: readonly number[], each: number, arriving: number) {
    const left = [...open];
    const asked: [number, Answer | null][] = [];
    const ask = async (input: number, previous: Answer | null) => {
      asked.push([input, previous]);
      // A loop without an end fails here.
      if (asked.length > 100) throw new Error('There are too many requests.');
      const before = left[input] ?? 0;
      const settled = Math.min(each, before);
      left[input] = before - settled + arriving;
      return { settled, left: before - settled };
    };
    const answers = await settleAll('Settling', [...open.keys()], ask, ({ settled }) => settled);
    return { asked, settled: answers.map(({ settled }) => settled) };
  }

  it('sends requests until nothing is left, each with the previous answer', async () => {
    const { asked, settled } = await settle([5], 2, 0);
    expect(settled).toEqual([2, 2, 1]);
    expect(asked).toEqual([
      [0, null],
      [0, { settled: 2, left: 3 }],
      [0, { settled: 2, left: 1 }],
    ]);
  });

  it.each([1, 2, 3])(
    'ends after the dead letters of the start, although ingest adds %i after each request',
    async (arriving) => {
      expect((await settle([6], 2, arriving)).settled).toEqual([2, 2, 2]);
    },
  );

  it('counts the dead letters of each input on their own', async () => {
    const { asked, settled } = await settle([4, 1, 0, 6], 2, 2);
    expect(settled).toEqual([2, 2, 1, 0, 2, 2, 2]);
    expect(asked.filter(([, previous]) => previous === null).map(([input]) => input)).toEqual([0, 1, 2, 3]);
  });
});
