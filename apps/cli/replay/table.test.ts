import { expect, it } from 'vitest';
import { exampleVerification, exampleView } from '../../../test/support/replay-view.ts';
import { tableLines } from '../output.ts';
import { REPLAY_HEADER, replayRow } from './table.ts';

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
