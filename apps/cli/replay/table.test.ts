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
});
