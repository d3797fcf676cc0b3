import { expect, it } from 'vitest';
import { type Observation, rateNow, ratesOf, withObservation } from './rates.ts';

function at(seconds: number, head_position: number): Observation {
  return { at: seconds * 1_000, head_position, next_offsets: 0, checkpoint: 0, lag_seconds: 0, dead_letters: 0 };
}

it('a rate is what a figure grew by, per second, however long the time between two observations', () => {
  expect(ratesOf([at(0, 100), at(2, 300), at(12, 300), at(13, 350)], 'head_position')).toEqual([null, 100, 0, 50]);
});

it('a figure that fell has no rate, and the next one has', () => {
  expect(ratesOf([at(0, 100), at(1, 50), at(2, 60)], 'head_position')).toEqual([null, null, 10]);
});

it('the rate of now is the mean of the last half minute', () => {
  expect(rateNow([], 'head_position')).toBeNull();
  expect(rateNow([at(0, 5)], 'head_position')).toBeNull();
  expect(rateNow([at(0, 0), at(40, 1_000), at(60, 1_100), at(70, 1_300)], 'head_position')).toBe(10);
});

it('keeps the last five minutes', () => {
  const kept = withObservation([at(0, 1), at(10, 2), at(299, 3)], at(310, 4));
  expect(kept.map(({ head_position }) => head_position)).toEqual([3, 4]);
});
