import { expect, it } from 'vitest';
import { retryDelayMilliseconds } from './retry.ts';

it('retryDelayMilliseconds follows Retry-After, but stays between 1 and 60 seconds', () => {
  expect([retryDelayMilliseconds(0, '7'), retryDelayMilliseconds(9, '0'), retryDelayMilliseconds(0, '86400')]).toEqual([
    7_000, 1_000, 60_000,
  ]);
});

it('retryDelayMilliseconds grows exponentially if Retry-After is missing or not in seconds', () => {
  expect([0, 1, 2, 3, 4, 50].map((failures) => retryDelayMilliseconds(failures, null))).toEqual([
    1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
  ]);
  expect(retryDelayMilliseconds(1, 'Wed, 21 Oct 2026 07:28:00 GMT')).toBe(2_000);
});
