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

it('readScoreChanges parses the score changes of a verification', () => {
  expect(readScoreChanges(REPORT)).toMatchObject({ period: 'day', changed: 2, change: { mean: -1.5 } });
  expect(readScoreChanges({ ...REPORT, change: null })?.change).toBeNull();
});

it.each([null, {}, [], 'text', { kind: 'focus_changes' }, { ...REPORT, largest: null }, { ...REPORT, compared: '10' }])(
  'readScoreChanges returns null for any other report: %j',
  (report) => {
    expect(readScoreChanges(report)).toBeNull();
  },
);
