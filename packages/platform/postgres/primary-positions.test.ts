import { expect, it } from 'vitest';
import { PrimaryPositions } from './primary-positions.ts';

const NEVER = Number.NEGATIVE_INFINITY;

it('the recent positions of a primary give the time of the last position that a standby has replayed', () => {
  const positions = new PrimaryPositions(1_000);
  expect(positions.timeOf(10)).toBe(NEVER);
  positions.add({ written: 10, at: 0 });
  positions.add({ written: 10, at: 250 });
  positions.add({ written: 30, at: 500 });
  const times = [9, 10, 29, 30, 31].map((replayed) => positions.timeOf(replayed));
  expect(times).toEqual([NEVER, 250, 250, 500, 500]);
});

it('the recent positions of a primary are forgotten at their maximum age, so that they do not fill the memory', () => {
  const positions = new PrimaryPositions(1_000);
  positions.add({ written: 10, at: 0 });
  positions.add({ written: 20, at: 1_000 });
  expect(positions.timeOf(15)).toBe(0);
  positions.add({ written: 30, at: 1_001 });
  expect(positions.timeOf(15)).toBe(NEVER);
  expect(positions.timeOf(25)).toBe(1_000);
});
