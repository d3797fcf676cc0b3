import { expect, it } from 'vitest';
import { gapsBetween, timeRange, valueRange } from './chart-scales.ts';

it('timeRange is the five minutes that end with the last observation', () => {
  expect(timeRange(1_000)).toEqual([700, 1_000]);
});

it('valueRange begins at 0, leaves a margin above the largest value, and is never empty', () => {
  expect(valueRange(200)).toEqual([0, expect.closeTo(230)]);
  expect(valueRange(0)).toEqual([0, 1]);
  expect(valueRange(0.5)).toEqual([0, 1]);
});

it('gapsBetween finds each interval of more than ten seconds without an observation', () => {
  expect(gapsBetween([0, 2, 12, 23, 24, 100])).toEqual([
    [12, 23],
    [24, 100],
  ]);
  expect(gapsBetween([0, 10, 20])).toEqual([]);
  expect(gapsBetween([50])).toEqual([]);
  expect(gapsBetween([])).toEqual([]);
});
