import { describe, expect, it } from 'vitest';
import { exampleNext, exampleView } from './example-view.ts';
import { replayText } from './text.ts';
import { viewJson } from './view.ts';

describe("a replay's text", () => {
  it('shows the progress, generations, throttle, times and next commands', () => {
    const next = exampleNext('pause', 'throttle', 'promote', 'cancel');
    expect(replayText(exampleView({ next }))).toBe(`Replay 7 of all projections: filling
  position     12345 of 30000, 41 %
  speed        21000 trips/s
  time         2m05s left (1m50s to 4m00s)
  worker       running
  throttle     auto
  promotion    on request
  requested    2025-01-31T08:00:00.000Z by jane
  generations  drivers 2, version 1, at position 0
               trips 3, version 2, at position 0
  next         milepost replay watch 7: Wait until it ends or needs an operator
               milepost replay pause 7: Pause a replay
               milepost replay throttle 7 THROTTLE: Throttle a replay
               milepost replay promote 7: Promote a replay
               milepost replay cancel 7: Cancel a replay
`);
  });

  it('shows the error and the next command', () => {
    const error = 'Projection trips cannot \u001b[31m';
    const text = replayText(exampleView({ halted: 'failed', error, running: false, next: exampleNext('resume') }));
    expect(text).toContain(
      'Replay 7 of all projections: failed while filling\n  error        Projection trips cannot ?[31m\n',
    );
    expect(text).toContain('milepost replay resume 7: Resume a replay');
    expect(text).not.toContain('ops process');
  });

  it('says that no worker runs the replay', () => {
    expect(replayText(exampleView({ running: false }))).toContain('none: is an ops process running');
  });
});

describe("a replay's text", () => {
  it.each([
    [{ promote: true }, 'after verification, unless there are unexpected differences'],
    [{ promote: true, accept_differences: true }, 'after verification, even with differences'],
    [{ phase: 'waiting' }, 'on request'],
    [{ phase: 'promoted', promote: true }, null],
    [{ phase: 'cancelling' }, null],
    [{ kind: 'roll_back', promote: true }, null],
  ] as const)('says when the replay %j is promoted: %s', (state, expected) => {
    const text = replayText(exampleView(state));
    if (expected === null) expect(text).not.toContain('promotion');
    else expect(text).toContain(`  promotion    ${expected}\n`);
  });

  it('shows the first day of its rows and its end, and no worker for a replay at rest', () => {
    const ended = { phase: 'promoted', cutoff: '2025-01-01', finished_at: '2025-01-31T08:09:00.000Z' } as const;
    const text = replayText(exampleView({ ...ended, running: false }));
    expect(text).toContain('  position     12345 of 30000\n');
    expect(text).toContain('  rows from    2025-01-01 on\n');
    expect(text).toContain('  ended        2025-01-31T08:09:00.000Z\n');
    expect(text).not.toContain('worker');
  });
});

describe("a replay's JSON", () => {
  it('has the documented fields first, then the additional ones', () => {
    const fields = Object.keys(viewJson(exampleView()));
    expect(fields.slice(0, 10)).toEqual([
      'id',
      'projection',
      'phase',
      'position',
      'target',
      'trips_per_second',
      'remaining_seconds',
      'throttle',
      'verification',
      'error',
    ]);
    expect(fields.sort()).toEqual(Object.keys(exampleView()).sort());
  });
});
