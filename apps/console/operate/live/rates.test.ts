import { expect, it } from 'vitest';
import { type Observation, observationOf, rateNow, ratesOf, withObservation } from './rates.ts';

function at(seconds: number, head_position: number): Observation {
  return { at: seconds * 1_000, head_position, next_offsets: 0, checkpoint: 0, lag_seconds: 0, dead_letters: 0 };
}

it("ratesOf divides a figure's growth by the time between two observations", () => {
  expect(ratesOf([at(0, 100), at(2, 300), at(12, 300), at(13, 350)], 'head_position')).toEqual([null, 100, 0, 50]);
});

it('ratesOf returns no rate for a decrease, or if the clock stood still or was set back', () => {
  expect(ratesOf([at(0, 100), at(1, 50), at(2, 60)], 'head_position')).toEqual([null, null, 10]);
  expect(ratesOf([at(5, 100), at(5, 300), at(4, 400), at(6, 500)], 'head_position')).toEqual([null, null, null, 50]);
});

it('ratesOf and rateNow use the named figure', () => {
  const observations = [1, 2].map((second) => ({
    ...at(second, second),
    ...{ next_offsets: second * 10, checkpoint: second * 100, dead_letters: second * 1_000 },
  }));
  const figures = ['head_position', 'next_offsets', 'checkpoint', 'dead_letters'] as const;
  expect(figures.map((figure) => ratesOf(observations, figure)[1])).toEqual([1, 10, 100, 1_000]);
  expect(figures.map((figure) => rateNow(observations, figure))).toEqual([1, 10, 100, 1_000]);
});

it('rateNow is the mean rate in the last 30 seconds: never negative, and null for fewer than two observations', () => {
  expect(rateNow([at(0, 0), at(40, 1_000), at(60, 1_100), at(70, 1_300)], 'head_position')).toBe(10);
  expect(rateNow([at(0, 500), at(10, 100)], 'head_position')).toBe(0);
  for (const few of [[], [at(0, 5)], [at(3, 500), at(3, 600)], [at(0, 0), at(31, 600)]]) {
    expect(rateNow(few, 'head_position')).toBeNull();
  }
});

it('withObservation keeps the observations of the last five minutes', () => {
  const kept = withObservation([at(0, 1), at(10, 2), at(299, 3)], at(310, 4));
  expect(kept.map(({ head_position }) => head_position)).toEqual([3, 4]);
});

it('observationOf reports the projection with the largest lag, and adds up the sources', () => {
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

it('observationOf counts a log without projections as applied, and one without sources as 0 records read', () => {
  const status = { head_position: 7, dead_letters: 0, projections: [], sources: [] };
  expect(observationOf(status, 1)).toMatchObject({ checkpoint: 7, lag_seconds: 0, next_offsets: 0 });
});
