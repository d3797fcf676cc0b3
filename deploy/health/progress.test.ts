import { describe, expect, it } from 'vitest';
import { standingStill } from './progress.ts';

describe('standing still', () => {
  it('is reported of what was behind and has not moved', () => {
    expect(standingStill({ trips: { at: 5, end: 9 } }, { trips: { at: 5, end: 9 } })).toEqual(['trips']);
  });

  it.each([
    ['a backlog that shrinks', { at: 5, end: 900 }, { at: 6, end: 900 }],
    ['new work that has had one interval at most', { at: 5, end: 5 }, { at: 5, end: 9 }],
    ['idleness', { at: 5, end: 5 }, { at: 5, end: 5 }],
  ])('is not said of %s', (_, previous, current) => {
    expect(standingStill({ trips: previous }, { trips: current })).toEqual([]);
  });

  it('is not said at the first check', () => {
    expect(standingStill({}, { trips: { at: 5, end: 9 } })).toEqual([]);
  });
});
