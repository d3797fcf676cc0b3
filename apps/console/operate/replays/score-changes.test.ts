import { expect, it } from 'vitest';
import { readScoreChanges } from './score-changes.ts';

const REPORT = {
  kind: 'score_changes',
  period: 'day',
  compared: 10,
  changed: 2,
  changed_dates: 1,
  drivers: 3,
  changed_drivers: 2,
  only_live: 0,
  only_replayed: 0,
  change: { mean: -1.5, median: -1, mean_size: 1.5, p95_size: 2, largest_size: 2 },
  distribution: [{ direction: 'fall', at_least: 1, below: null, count: 2 }],
  grade_transitions: [{ from: 'good', to: null, count: 1 }],
  largest: [
    {
      fleet_id: 'a',
      driver_id: 'b',
      date: '2025-01-15',
      old_score: 90,
      new_score: null,
      old_grade: 'excellent',
      new_grade: null,
    },
  ],
};

it('readScoreChanges keeps every figure that the page shows', () => {
  expect(readScoreChanges(REPORT)).toEqual({
    period: 'day',
    compared: 10,
    changed: 2,
    drivers: 3,
    changed_drivers: 2,
    change: { mean: -1.5, median: -1, largest_size: 2 },
    distribution: REPORT.distribution,
    grade_transitions: REPORT.grade_transitions,
    largest: REPORT.largest,
  });
});

it('readScoreChanges distinguishes weeks, rises, limits, new grades, and a report without a change', () => {
  const rise = { direction: 'rise', at_least: 1, below: 2, count: 4 };
  const graded = { from: null, to: 'good', count: 5 };
  const scored = { ...REPORT.largest[0], old_score: null, new_score: 80, old_grade: null, new_grade: 'good' };
  const report = { period: 'week', change: null, distribution: [rise], grade_transitions: [graded], largest: [scored] };
  expect(readScoreChanges({ ...REPORT, ...report })).toMatchObject(report);
});

it.each([
  null,
  {},
  [],
  'text',
  { kind: 'focus_changes' },
  { ...REPORT, largest: null },
  { ...REPORT, compared: '10' },
  { ...REPORT, change: [] },
  { ...REPORT, grade_transitions: [{ from: 1, to: null, count: 1 }] },
])('readScoreChanges returns null for any other report: %j', (report) => {
  expect(readScoreChanges(report)).toBeNull();
});
