import { expect, it } from 'vitest';
import { PROJECTIONS } from './projections.ts';

it('projections that are filled together have the same fill function', () => {
  const pairs = PROJECTIONS.filter(({ fillsWith }) => fillsWith !== undefined);
  expect(pairs.map(({ name }) => name)).toEqual(['weekly_rollups']);
  for (const { fill, fillsWith } of pairs) {
    expect(PROJECTIONS.find(({ name }) => name === fillsWith)?.fill).toBe(fill);
  }
});
