import { describe, expect, it } from 'vitest';
import { exampleVerification, exampleView } from './example-view.ts';
import { replayText } from './text.ts';
import { viewJson } from './view.ts';

describe('the text of a replay', () => {
  it('shows progress, generations, throttle, times and what can be done', () => {
    expect(replayText(exampleView())).toBe(`Replay 7 of all: filling
  position     12345 of 30000, 41 %
  speed        21000 trips/s
  time         2m05s left (1m50s to 4m00s)
  worker       at work
  throttle     auto
  promotion    when you say so
  asked for    2025-01-31T08:00:00.000Z by jane
  generations  drivers 2, version 1, at position 0
               trips 3, version 2, at position 0

What can be done:
  milepost replay watch 7                   look on until it rests
  milepost replay pause 7                   let it stand still
  milepost replay throttle 7 RATE|auto|off  change how fast it may go
  milepost replay promote 7                 make it live once it is verified
  milepost replay cancel 7                  end it and remove what it has built
`);
  });

  it('shows what went wrong, and how to go on', () => {
    const text = replayText(
      exampleView({ halted: 'failed', error: 'Projection trips cannot \u001b[31m', running: false }),
    );
    expect(text).toContain('Replay 7 of all: failed while filling');
    expect(text).toContain('What went wrong:\n  Projection trips cannot ?[31m\n');
    expect(text).toContain('milepost replay resume 7  go on where it stopped, once the cause is mended');
    expect(text).not.toContain('ops process');
  });

  it('says that nobody works on it', () => {
    expect(replayText(exampleView({ running: false }))).toContain('none has it in hand: is an ops process running');
  });

  it('offers to promote unexplained differences only in so many words', () => {
    const waiting = (differences: number, expected: boolean) =>
      replayText(exampleView({ phase: 'waiting', verification: exampleVerification(differences, expected) }));
    expect(waiting(2, false)).toContain('promote 7 --accept-differences');
    expect(waiting(2, true)).not.toContain('--accept-differences');
  });
});

describe('a replay for programs', () => {
  it('has the documented fields first, and what there is beyond them', () => {
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
