import { expect, it } from 'vitest';
import { verificationText } from './text.ts';
import type { TableVerification } from './view.ts';

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
const long = 'x'.repeat(500);
const DIFFERING: TableVerification = {
  ...EQUAL,
  projection: 'drivers',
  replayed: { generation: 2, version: 2, rows: 11 },
  equal: false,
  differences: 1,
  differing_day_count: 1,
  differing_days: [{ day: '2025-01-15', live_rows: 3, replayed_rows: 4 }],
  samples: [
    { day: null, key: 'long', live: `${long}1${long}`, replayed: `${long}2${long}` },
    { day: null, key: 'a\u001b[2J\nb', live: 'c\nd\u0007', replayed: null },
  ],
};

const textOf = (table: TableVerification, cutoff: string | null = null) => {
  const { equal, expected, differences } = table;
  const common = { position: 42, compared_at: '2025-02-01T00:00:00.000Z', cutoff, equal, expected, differences };
  return verificationText({ ...common, tables: [EQUAL, table] });
};

it("a verification report contains each table's counts", () => {
  expect(textOf(EQUAL).split('\n').slice(0, 5)).toEqual([
    'Verified at position 42 (2025-02-01T00:00:00.000Z): equal.',
    '',
    'tables:',
    'table  live  replayed  version  live rows  replayed rows  differences  days  equal  expected',
    'trips     1         2  1               10             10            0     0  true   true',
  ]);
  expect(textOf(EQUAL, '2025-01-01')).toContain('\nRows for days before 2025-01-01 were not compared');
});

it('a verification report contains the days and samples of tables that differ, and cannot control the terminal', () => {
  const text = textOf(DIFFERING);
  expect(text).toContain(': 1 row differs, as expected from a changed version.\n');
  expect(textOf({ ...DIFFERING, expected: false })).toContain(': 1 row differs, which no version change explains.\n');
  expect(text).toMatch(/\ndrivers, differing days:\n.*\n2025-01-15 +3 +4\n\ndrivers, samples:\n/);
  // Long values are shown from their first difference.
  const [one, two] = ['1', '2'].map((digit) => `\\.\\.\\.x{40}${digit}x{119}\\.\\.\\.`);
  expect(text).toMatch(new RegExp(`\\nlong +${one} +${two}\\n`));
  expect(text).toMatch(/\na\?\[2J\?b +c\?d\? +no such row\n$/);
});
