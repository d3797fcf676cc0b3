import { describe, expect, it } from 'vitest';
import { tableLines } from '../output.ts';
import { exampleVerification, exampleView } from './example-view.ts';
import { REPLAY_HEADER, replayRow } from './table.ts';

describe('a replay in the list', () => {
  const promoted = { phase: 'promoted', finished_at: '2025-01-31T08:09:00.000Z' } as const;

  it.each([
    ['live', { ...promoted, live: true }],
    ['replaced', promoted],
    ['rolled back, live', { ...promoted, live: true, kind: 'roll_back' }],
    ['rolled back, replaced', { ...promoted, kind: 'roll_back' }],
    ['rollback: catching up', { phase: 'catching_up', kind: 'roll_back' }],
    ['paused while filling', { halted: 'paused' }],
  ] as const)('has the state "%s"', (state, view) => expect(replayRow(exampleView(view))[2]).toBe(state));

  it('fits a terminal of 120 columns, even with long names', () => {
    const view = exampleView({
      id: 4711,
      projection: 'trips,weekly_rollups,daily_rollups',
      kind: 'roll_back',
      phase: 'promoted',
      requested_by: 'somebody.with.a.long.name@example.com',
      remaining_seconds: 7_800,
      verification: exampleVerification(3, true),
    });
    const lines = tableLines(REPLAY_HEADER, [replayRow(view)]);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(120);
    expect(lines[1]).toContain('somebody.with...');
  });

  it('has its id, projections, state, share, remaining time, verdict, author and minute', () => {
    expect(replayRow(exampleView())).toEqual([7, 'all', 'filling', '41 %', '2m05s', null, 'jane', '2025-01-31 08:00']);
  });

  it('has no share once it is over, but keeps it while it is halted', () => {
    expect(replayRow(exampleView({ phase: 'waiting' }))[3]).toBeNull();
    expect(replayRow(exampleView({ ...promoted, remaining_seconds: null })).slice(3, 5)).toEqual([null, null]);
    expect(replayRow(exampleView({ halted: 'failed' }))[3]).toBe('41 %');
    expect(replayRow(exampleView({ phase: 'cancelling' }))[3]).toBe('41 %');
  });

  it.each([
    [0, true, 'equal'],
    [3, false, '3 differ'],
    [3, true, '3 differ, expected'],
  ])('shows a verification with %i differences (expected: %s) as "%s"', (differences, expected, outcome) => {
    expect(replayRow(exampleView({ verification: exampleVerification(differences, expected) }))[5]).toBe(outcome);
  });

  it('keeps a name of 16 characters, and shortens a longer one to 16', () => {
    const [kept, longer] = ['a'.repeat(16), 'b'.repeat(17)];
    const row = replayRow(exampleView({ projection: kept, requested_by: longer }));
    expect([row[1], row[6]]).toEqual([kept, `${'b'.repeat(13)}...`]);
  });
});
