import { expect, it } from 'vitest';
import { backoffMilliseconds } from './retry.ts';

it('backoffMilliseconds doubles with each attempt, up to ten seconds or the given limit', () => {
  for (const [attempt, limit, longest] of [
    [0, undefined, 100],
    [3, undefined, 800],
    [7, undefined, 10_000],
    [9, 60_000, 51_200],
    [10_000, 60_000, 60_000],
  ] as const) {
    const wait = backoffMilliseconds(attempt, limit);
    expect(wait).toBeGreaterThanOrEqual(longest / 2);
    expect(wait).toBeLessThanOrEqual(longest);
  }
});
