import { expect, it } from 'vitest';
import { type Observation, observationOf, rateNow, ratesOf, withObservation } from './rates.ts';

function at(seconds: number, head_position: number): Observation {
  return { at: seconds * 1_000, head_position, next_offsets: 0, checkpoint: 0, lag_seconds: 0, dead_letters: 0 };
}

it('ratesOf divides the growth of a figure by the time between two observations', () => {
  expect(ratesOf([at(0, 100), at(2, 300), at(12, 300), at(13, 350)], 'head_position')).toEqual([null, 100, 0, 50]);
});

it('ratesOf returns no rate for a decrease, and a rate for the next observation', () => {
  expect(ratesOf([at(0, 100), at(1, 50), at(2, 60)], 'head_position')).toEqual([null, null, 10]);
});

it('rateNow is the mean rate of the last 30 seconds', () => {
  expect(rateNow([], 'head_position')).toBeNull();
  expect(rateNow([at(0, 5)], 'head_position')).toBeNull();
  expect(rateNow([at(0, 0), at(40, 1_000), at(60, 1_100), at(70, 1_300)], 'head_position')).toBe(10);
});

it('withObservation keeps the observations of the last five minutes', () => {
  const kept = withObservation([at(0, 1), at(10, 2), at(299, 3)], at(310, 4));
  expect(kept.map(({ head_position }) => head_position)).toEqual([3, 4]);
});

it('observationOf reports the projection with the largest lag, and sums the sources', () => {
  const observation = observationOf(
    {
      head_position: 900,
      dead_letters: 4,
      projections: [
        { checkpoint: 890, lag_seconds: 1 },
        { checkpoint: 120, lag_seconds: 75 },
        { checkpoint: 900, lag_seconds: 0 },
      ],
      sources: [{ next_offset: 30 }, { next_offset: 12 }],
    },
    5_000,
  );
  expect(observation).toEqual({
    at: 5_000,
    head_position: 900,
    next_offsets: 42,
    checkpoint: 120,
    lag_seconds: 75,
    dead_letters: 4,
  });
});

it('observationOf shows a stalled projection as a rate of 0 while the others progress', () => {
  const status = (position: number) => ({
    head_position: position,
    dead_letters: 0,
    projections: [
      { checkpoint: position, lag_seconds: 0 },
      { checkpoint: 100, lag_seconds: 60 },
    ],
    sources: [],
  });
  const observations = [1, 2, 3].map((second) => observationOf(status(1_000 * second), 1_000 * second));
  expect(ratesOf(observations, 'checkpoint')).toEqual([null, 0, 0]);
  expect(rateNow(observations, 'checkpoint')).toBe(0);
});
