import { expect, it } from 'vitest';
import { PROJECTIONS } from './projections.ts';

it('a replay fills both rollups together', () => {
  const groups = Map.groupBy(PROJECTIONS, ({ fill }) => fill).values();
  expect(
    groups
      .map((group) => group.map(({ name }) => name))
      .filter((names) => names.length > 1)
      .toArray(),
  ).toEqual([['weekly_rollups', 'daily_rollups']]);
});
