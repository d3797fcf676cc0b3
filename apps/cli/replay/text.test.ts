import { expect, it } from 'vitest';
import { exampleNext, exampleVerification, exampleView } from '../../../test/support/replay-view.ts';
import { tableLines } from '../output.ts';
import { REPLAY_HEADER, replayRow, replayText, verificationText } from './text.ts';
import type { TableVerification } from './view.ts';

it("a replay's text shows the progress, generations, throttle, times and next commands", () => {
  expect(replayText(exampleView({ next: exampleNext('throttle') }))).toBe(`Replay 7 of all projections: filling
  position     12345 of 30000, 41%
  speed        21000 trips/s
  time         2m05s left (1m50s to 4m00s)
  worker       running
  throttle     auto
  promotion    on request
  requested    2025-01-31T08:00:00.000Z by jane
  generations  drivers 2, version 1, at position 0
               trips 3, version 2, at position 0
  next         milepost replay watch 7: Wait until it ends or needs an operator
               milepost replay throttle 7 THROTTLE: Throttle a replay
`);
});

it.each([
  [{ running: false }, /none: is an ops process running/],
  [
    { halted: 'failed', error: 'It \u001b[31m', running: false },
    /failed while filling\n {2}error +It \?\[31m\n(?!.*worker)/s,
  ],
  [{ promote: true }, /promotion +after verification, unless there are unexpected differences\n/],
  [{ promote: true, accept_differences: true }, /promotion +after verification, even with differences\n/],
  [{ phase: 'promoted', promote: true, cutoff: '2025-01-01' }, /^(?!.*promotion).*rows from +2025-01-01 on\n/s],
  [{ kind: 'roll_back', promote: true }, /^(?!.*promotion)Rollback 7 /s],
] as const)("a replay's text fits its state: %j", (view, text) => expect(replayText(exampleView(view))).toMatch(text));

const promoted = { phase: 'promoted', remaining_seconds: null } as const;

it.each([
  [{}, ['filling', '41%', '2m05s', null]],
  [{ halted: 'paused' }, ['paused while filling', '41%', '2m05s', null]],
  [{ phase: 'waiting', remaining_seconds: null }, ['waiting to be promoted', null, null, null]],
  [{ ...promoted, live: true }, ['live', null, null, null]],
  [promoted, ['replaced', null, null, null]],
  [{ ...promoted, live: true, kind: 'roll_back' }, ['rolled back, live', null, null, null]],
  [{ phase: 'catching_up', kind: 'roll_back' }, ['rollback: catching up', '41%', '2m05s', null]],
  [{ verification: exampleVerification(0, true) }, ['filling', '41%', '2m05s', 'equal']],
  [{ verification: exampleVerification(3, false) }, ['filling', '41%', '2m05s', '3 differ']],
  [{ verification: exampleVerification(3, true) }, ['filling', '41%', '2m05s', '3 differ, expected']],
] as const)('the list shows the state, progress, remaining time and verdict of the replay %j', (view, cells) => {
  expect(replayRow(exampleView(view)).slice(2, 6)).toEqual(cells);
});

it('the list fits a terminal of 120 columns, even with long names', () => {
  const names = {
    projection: 'trips,weekly_rollups,daily_rollups',
    requested_by: 'somebody.with.a.long.name@example.com',
  };
  const verification = exampleVerification(3, true);
  const row = replayRow(
    exampleView({ ...names, ...promoted, kind: 'roll_back', remaining_seconds: 7_800, verification }),
  );
  const lines = tableLines(REPLAY_HEADER, [row]);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(120);
  expect(lines[1]).toContain('somebody.with...');
});

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
