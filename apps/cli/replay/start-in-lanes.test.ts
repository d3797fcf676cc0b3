import { expect, it } from 'vitest';
import { dividedThrottle } from './start-in-lanes.ts';

it.each([
  [10_000, 4, 2_500],
  [10, 3, 3],
  [2, 4, 1],
])('dividedThrottle gives each replay a share of %i trips a second for %i replays', (throttle, replays, share) => {
  expect(dividedThrottle(throttle, replays)).toBe(share);
});

it.each(['auto', 'off', undefined] as const)('dividedThrottle keeps %s', (throttle) => {
  expect(dividedThrottle(throttle, 3)).toBe(throttle);
});
