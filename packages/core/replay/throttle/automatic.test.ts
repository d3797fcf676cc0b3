import { expect, it } from 'vitest';
import { Automatic } from './automatic.ts';

const REST = { read_milliseconds: 1, live_lag_seconds: 0 };

/** Returns an automatic throttle that has measured these loads. */
function observed(...loads: { read_milliseconds?: number; live_lag_seconds?: number }[]): Automatic {
  const automatic = new Automatic();
  for (const load of loads) automatic.observe({ ...REST, ...load });
  return automatic;
}

/** The fraction of time that the replay spends working. */
const shareOf = (automatic: Automatic) => 1 / (automatic.pauseAfter(1) + 1);

it('the automatic throttle begins with less than a third of the time, and speeds up in steps to nine tenths', () => {
  expect(observed().pauseAfter(300)).toBeCloseTo(700);
  expect(shareOf(observed(REST))).toBeCloseTo(0.33);
  expect(shareOf(observed(...Array.from({ length: 100 }, () => REST)))).toBeCloseTo(0.9);
});

it('the automatic throttle halves its share under load, but never stops', () => {
  const lag = { live_lag_seconds: 3 };
  expect(shareOf(observed(lag))).toBeCloseTo(0.15);
  expect(shareOf(observed(lag, lag))).toBeCloseTo(0.075);
  expect(shareOf(observed(...Array.from({ length: 100 }, () => lag)))).toBeCloseTo(0.02);
});

it('the automatic throttle slows down when the live projections are more than two seconds behind', () => {
  expect(observed({ live_lag_seconds: 2 }).reason).toBeNull();
  expect(observed({ live_lag_seconds: 2.1 }).reason).toBe('the live projections are 2.1 s behind');
});

it.each([
  ['two milliseconds more for short reads', 1, 3],
  ['half as much again for long reads', 100, 150],
])('the automatic throttle slows down when reads take more than at rest: %s', (_, atRest, limit) => {
  const after = (read_milliseconds: number) => observed({ read_milliseconds: atRest }, { read_milliseconds }).reason;
  expect(after(limit)).toBeNull();
  expect(after(limit + 0.5)).toBe(`reads take ${(limit + 0.5).toFixed(1)} ms (idle: ${atRest.toFixed(1)} ms)`);
});

it('the automatic throttle speeds up again when the load has ended', () => {
  const automatic = observed({ live_lag_seconds: 60 }, REST);
  expect(automatic.reason).toBeNull();
  expect(shareOf(automatic)).toBeCloseTo(0.18);
});

it('the automatic throttle adapts to a machine that has become slower', () => {
  const slow = { read_milliseconds: 10 };
  const loads = Array.from({ length: 239 }, () => slow);
  expect(observed(REST, ...loads).reason).toMatch(/^reads take/);
  expect(observed(REST, ...loads, slow).reason).toBeNull();
});
