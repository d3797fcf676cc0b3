import { describe, expect, it } from 'vitest';
import { verificationText } from './verification.ts';
import type { TableVerification, Verification } from './view.ts';

type Changes = NonNullable<TableVerification['changes']>;

const EQUAL: TableVerification = {
  projection: 'trips',
  live: { generation: 1, version: 1, rows: 10 },
  replayed: { generation: 2, version: 1, rows: 10 },
  equal: true,
  expected: true,
  differences: 0,
  differing_day_count: 0,
  differing_days: [],
  samples: [],
  changes: null,
};

const SCORES: Changes = {
  kind: 'score_changes',
  period: 'day',
  compared: 8,
  changed: 5,
  changed_dates: 3,
  drivers: 4,
  changed_drivers: 2,
  only_live: 0,
  only_replayed: 1,
  change: { mean: -4.5, median: 0.4, mean_size: 7.25, p95_size: 25.4, largest_size: 25.4 },
  distribution: [
    { direction: 'fall', at_least: 20, below: null, count: 1 },
    { direction: 'fall', at_least: 0, below: 20, count: 0 },
    { direction: 'rise', at_least: 0, below: 20, count: 60 },
    { direction: 'rise', at_least: 20, below: null, count: 30 },
  ],
  grade_transitions: [{ from: 'good', to: 'poor', count: 3 }],
  largest: [
    {
      fleet_id: 'acme',
      driver_id: 'driver-1',
      date: '2025-01-15',
      old_score: 80,
      new_score: 54.6,
      old_grade: 'good',
      new_grade: 'fair',
    },
  ],
};

function verification(tables: TableVerification[], overrides: Partial<Verification> = {}): Verification {
  return {
    position: 42,
    compared_at: '2025-02-01T00:00:00.000Z',
    cutoff: null,
    equal: tables.every(({ equal }) => equal),
    expected: tables.every(({ expected }) => expected),
    differences: tables.reduce((sum, { differences }) => sum + differences, 0),
    tables,
    ...overrides,
  };
}

const differing = (overrides: Partial<TableVerification>): TableVerification => ({
  ...EQUAL,
  projection: 'daily_rollups',
  equal: false,
  expected: false,
  differences: 7,
  differing_day_count: 12,
  differing_days: Array.from({ length: 12 }, (_, index) => ({
    day: `2025-01-${index + 10}`,
    live_rows: 3,
    replayed_rows: 4,
  })),
  samples: [{ day: '2025-01-15', key: 'acme/driver-1', live: '{"a":1}', replayed: '{"a":2}' }],
  ...overrides,
});

const lines = (report: Verification) => verificationText(report).split('\n');

describe('a verification report', () => {
  it('is short when everything is equal', () => {
    expect(lines(verification([EQUAL]))).toEqual([
      'Verified at position 42 (2025-02-01T00:00:00.000Z): equal.',
      '',
      'table  live  replayed  version  live rows  replayed rows  rows differing  days  verdict',
      'trips     1         2  1               10             10               0     0  equal',
      '',
    ]);
  });

  it('distinguishes unexplained differences from those of a changed version', () => {
    const unexpected = verification([EQUAL, differing({})]);
    expect(lines(unexpected)[0]).toMatch(/: 7 rows differ, which no version change explains\.$/);
    expect(verificationText(unexpected)).toContain(
      '\ndaily_rollups: 7 rows differ on 12 days, which no version change explains.\n',
    );
    expect(verificationText(unexpected)).toContain('differs, not expected\n');
    const expected = verification([differing({ expected: true, replayed: { generation: 2, version: 2, rows: 11 } })]);
    expect(lines(expected)[0]).toMatch(/: 7 rows differ, as expected from a changed version\.$/);
    expect(verificationText(expected)).toContain('\ndaily_rollups (version 1 to 2): 7 rows differ on 12 days, as');
    expect(verificationText(expected)).toContain('1 to 2 ');
  });

  it('shows some days and samples, and says how many more exist', () => {
    const text = verificationText(verification([differing({})], { cutoff: '2025-01-01' }));
    expect(text).toContain('\nRows of days before 2025-01-01 were not compared');
    expect(text).toContain('\n  2025-01-19          3              4\n  and 2 more days\n');
    expect(text).toContain(
      '\n  2025-01-15 acme/driver-1\n    live      {"a":1}\n    replayed  {"a":2}\n  (1 of 7 shown)\n',
    );
  });

  it('shows no days for a table whose rows have no day', () => {
    const differing_days = [{ day: null, live_rows: 2, replayed_rows: 3 }];
    const text = verificationText(
      verification([differing({ differing_days, differing_day_count: 1, differences: 1, samples: [] })]),
    );
    expect(text).toContain('\ndaily_rollups: 1 row differs, which no version change explains.\n  (0 of 1 shown)\n');
  });

  it('shows long values from their first difference, and names the side without the row', () => {
    const start = 'x'.repeat(500);
    const samples = [
      { day: null, key: 'long', live: `${start}1${start}`, replayed: `${start}2${start}` },
      { day: null, key: 'gone', live: 'here', replayed: null },
    ];
    const text = verificationText(verification([differing({ samples })]));
    expect(text).toContain(`  long\n    live      ...${'x'.repeat(40)}1${'x'.repeat(119)}...\n`);
    expect(text).toContain(`    replayed  ...${'x'.repeat(40)}2${'x'.repeat(119)}...\n`);
    expect(text).toContain('  gone\n    live      here\n    replayed  no such row\n');
  });

  it('shows score changes with a proportional histogram, the grades and the largest changes', () => {
    const text = verificationText(verification([differing({ changes: SCORES })]));
    expect(text).toContain(
      '  5 of 8 driver days (62.5 %) have a changed score or grade, in 3 calendar days and for 2 of 4 drivers (50.0 %).\n',
    );
    expect(text).toContain('  0 rows are only in the live table, and 1 only in the replayed one.\n');
    expect(text).toContain(
      '  Change of fm_score: mean -4.5, median +0.4; absolute change: mean 7.25, p95 25.4, max 25.4.\n',
    );
    expect(text).toContain(
      [
        '  direction  from  below  count  share',
        '  fall         20      -      1  #',
        '  fall          0     20      0',
        `  rise          0     20     60  ${'#'.repeat(30)}`,
        `  rise         20      -     30  ${'#'.repeat(15)}\n`,
      ].join('\n'),
    );
    expect(text).toContain('  from  to    count\n  good  poor      3\n');
    expect(text).toContain('  acme      driver-1   2025-01-15         80       54.6  good       fair\n');
  });

  it('omits what there is nothing of: rows of one side, a share of nothing, a change without scores', () => {
    const scores = { ...SCORES, change: null, only_live: 2, only_replayed: 0, grade_transitions: [], largest: [] };
    const unchanged = verificationText(verification([differing({ changes: scores })]));
    expect(unchanged).toContain('  2 rows are only in the live table, and 0 only in the replayed one.\n');
    for (const title of ['Change of fm_score', 'by points', 'Grades that', 'The largest']) {
      expect(unchanged).not.toContain(title);
    }
  });

  it.each([10, 11])('shows ten of %i days, and mentions the others only if there are any', (count) => {
    const differing_days = Array.from({ length: count }, (_, index) => ({
      day: `2025-01-${index + 10}`,
      live_rows: 1,
      replayed_rows: 2,
    }));
    const text = verificationText(verification([differing({ differing_days, differing_day_count: count })]));
    expect(text.match(/^ {2}2025-01-\d\d +1 +2$/gm)).toHaveLength(10);
    expect(text.includes('  and 1 more day\n')).toBe(count === 11);
  });

  it.each([5, 6])('shows five of %i samples, and their number only if some are missing', (count) => {
    const samples = Array.from({ length: count }, (_, index) => ({
      day: null,
      key: `key-${index}`,
      live: 'a',
      replayed: 'b',
    }));
    const text = verificationText(verification([differing({ samples, differences: count })]));
    expect(text.match(/^ {2}key-\d$/gm)).toHaveLength(5);
    expect(text.includes(`(5 of ${count} shown)`)).toBe(count === 6);
  });

  it('prevents values from controlling the terminal or adding lines', () => {
    const samples = [{ day: null, key: 'a\u001b[2J\nb', live: 'c\nd\u0007', replayed: null }];
    const text = verificationText(verification([differing({ samples })]));
    expect(text).not.toMatch(/[^\P{Cc}\n]/u);
    expect(text).toContain('  a?[2J?b\n    live      c?d?\n');
  });
});
