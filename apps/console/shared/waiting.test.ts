import { expect, it } from 'vitest';
import { replaceWaiting, restBefore, waiting } from './waiting.ts';

it('waits as long as the service says, within a second and a minute', () => {
  expect([restBefore(0, '7'), restBefore(9, '0'), restBefore(0, '86400')]).toEqual([7_000, 1_000, 60_000]);
});

it('waits longer after each attempt where the service says nothing it can read', () => {
  expect([0, 1, 2, 3, 4, 50].map((attempts) => restBefore(attempts, null))).toEqual([
    1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
  ]);
  expect(restBefore(1, 'Wed, 21 Oct 2026 07:28:00 GMT')).toBe(2_000);
});

it('tells of a wait for as long as one question waits, whatever others are answered', () => {
  const [one, other] = [1, 2].map((until) => ({ reason: 'unavailable' as const, until }));
  if (!one || !other) throw new Error('There are two.');
  replaceWaiting(null, one);
  replaceWaiting(null, other);
  replaceWaiting(other, null);
  replaceWaiting(null, null);
  expect(waiting.value).toEqual(one);
  replaceWaiting(one, null);
  expect(waiting.value).toBeNull();
});
