import { expect, it } from 'vitest';
import { dueLanes } from './due-lanes.ts';

const lanesOf = (count: number) => Array.from({ length: count }, (_, number) => ({ number }));
const due = (count: number, unready: number[], turn: number) =>
  dueLanes(lanesOf(count), new Set(unready), turn).map(({ number }) => number);

it('a check includes all lanes if there are few', () => {
  for (const turn of [0, 1, 2]) expect(due(3, [], turn).sort()).toEqual([0, 1, 2]);
});

it.each([5, 16, 63])('checks include each of %i lanes in turn, and at most four at a time', (count) => {
  const checks = Array.from({ length: Math.ceil(count / 4) + 1 }, (_, turn) => due(count, [], turn));
  for (const check of checks) expect(check).toHaveLength(4);
  expect(new Set(checks.flat()).size).toBe(count);
});

it('a check includes the lanes that were not ready', () => {
  for (const turn of [0, 1, 2]) {
    const check = due(16, [9, 11], turn);
    expect(check).toHaveLength(4);
    expect(check.slice(0, 2)).toEqual([9, 11]);
  }
});
