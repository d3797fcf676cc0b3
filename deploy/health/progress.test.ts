import { expect, it } from 'vitest';
import { stalledReaders } from './progress.ts';

it('a stalled reader is reported for a position that was behind and has not moved', () => {
  expect(stalledReaders({ trips: { at: 5, end: 9 } }, { trips: { at: 5, end: 9 } })).toEqual(['trips']);
});

it.each([
  ['a backlog that shrinks', { at: 5, end: 900 }, { at: 6, end: 900 }],
  ['new work that is at most one interval old', { at: 5, end: 5 }, { at: 5, end: 9 }],
  ['idleness', { at: 5, end: 5 }, { at: 5, end: 5 }],
])('a stalled reader is not reported for %s', (_, previous, current) => {
  expect(stalledReaders({ trips: previous }, { trips: current })).toEqual([]);
});

it('a stalled reader is not reported by the first check', () => {
  expect(stalledReaders({}, { trips: { at: 5, end: 9 } })).toEqual([]);
});
