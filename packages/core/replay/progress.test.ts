import { describe, expect, it } from 'vitest';
import { nextControls } from './progress.ts';
import { PHASES } from './replay.ts';

const STATE = { phase: 'filling', halted: null, promote: false, live: false, can_be_rolled_back: false } as const;

describe('the next controls of a replay', () => {
  it.each(['filling', 'indexing', 'catching_up', 'verifying', 'promoting'] as const)(
    'steer a replay that is running (%s), and resume one that has halted',
    (phase) => {
      expect(nextControls({ ...STATE, phase })).toEqual(['pause', 'throttle', 'promote', 'cancel']);
      expect(nextControls({ ...STATE, phase, promote: true })).toEqual(['pause', 'throttle', 'cancel']);
      for (const halted of ['paused', 'failed'] as const) {
        expect(nextControls({ ...STATE, phase, halted })).toEqual(['resume', 'throttle', 'cancel']);
      }
    },
  );

  it('promote or drop a replay that is waiting', () => {
    expect(nextControls({ ...STATE, phase: 'waiting' })).toEqual(['promote', 'drop']);
  });

  it('roll a promotion back as long as its earlier generation exists, and drop only what is not live', () => {
    const promoted = { ...STATE, phase: 'promoted' } as const;
    expect(nextControls({ ...promoted, live: true, can_be_rolled_back: true })).toEqual(['roll_back', 'drop']);
    expect(nextControls({ ...promoted, live: true })).toEqual([]);
    expect(nextControls(promoted)).toEqual(['drop']);
  });

  it.each(['cancelling', 'dropping'] as const)('resume a replay that has failed while %s', (phase) => {
    expect(nextControls({ ...STATE, phase })).toEqual([]);
    expect(nextControls({ ...STATE, phase, halted: 'failed' })).toEqual(['resume']);
  });

  it('are none for a replay that has ended without a promotion', () => {
    const ended = PHASES.filter((phase) => phase === 'cancelled' || phase === 'dropped');
    expect(ended.map((phase) => nextControls({ ...STATE, phase, halted: 'failed' }))).toEqual([[], []]);
  });
});
