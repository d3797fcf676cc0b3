import { describe, expect, it } from 'vitest';
import { exampleNext, exampleVerification, exampleView } from './example-view.ts';
import { isAtRest, isReached, stateSentence } from './rest.ts';

describe('a replay at rest', () => {
  it.each([
    [{ phase: 'filling' }, false],
    [{ phase: 'filling', halted: 'paused' }, true],
    [{ phase: 'cancelling' }, false],
    [{ phase: 'waiting' }, true],
    [{ phase: 'promoted' }, true],
  ] as const)('has the state %j: %s', (state, expected) => expect(isAtRest(exampleView(state))).toBe(expected));

  it.each([
    ['built', { phase: 'waiting' }, true],
    ['built', { phase: 'waiting', promote: true }, false],
    ['built', { phase: 'promoted', promote: true }, true],
    ['built', { phase: 'cancelled' }, false],
    ['built', { phase: 'filling', halted: 'failed' }, false],
    ['built', { phase: 'filling', halted: 'paused' }, false],
    ['promoted', { phase: 'waiting' }, false],
    ['cancelled', { phase: 'cancelled' }, true],
    ['cancelled', { phase: 'promoted' }, false],
    ['dropped', { phase: 'dropped' }, true],
    ['dropped', { phase: 'promoted' }, true],
    ['dropped', { phase: 'waiting' }, false],
    ['ended', { phase: 'waiting' }, true],
    ['ended', { phase: 'promoted' }, true],
    ['ended', { phase: 'dropped' }, true],
    ['ended', { phase: 'cancelled' }, false],
  ] as const)('counts as a success for the goal %s in the state %j: %s', (goal, state, expected) => {
    expect(isReached(exampleView(state), goal)).toBe(expected);
  });

  it('has a sentence with its state and the next commands', () => {
    const waiting = { phase: 'waiting', verification: exampleVerification(0, true) } as const;
    expect(stateSentence(exampleView({ ...waiting, next: exampleNext('promote', 'drop') }))).toBe(
      'Replay 7 of all projections is waiting to be promoted (equal). Next: `milepost replay promote 7`, `milepost replay drop 7`.',
    );
    const next = [{ operation: 'replay.promote', input: { id: 7, accept_differences: true } }];
    const differing = stateSentence(
      exampleView({ phase: 'waiting', verification: exampleVerification(3, false), next }),
    );
    expect(differing).toContain('(3 rows differ, which no version change explains)');
    expect(differing).toContain('`milepost replay promote 7 --accept-differences`');
    const promoted = {
      phase: 'promoted',
      can_be_rolled_back: true,
      next: [{ operation: 'replay.rollback', input: { name: 'all' } }],
    } as const;
    expect(stateSentence(exampleView({ ...promoted, next: [...promoted.next] }))).toContain(
      '`milepost replay rollback all`',
    );
    expect(stateSentence(exampleView({ phase: 'promoted', live: true }))).toBe(
      'Replay 7 of all projections is live. It can no longer be rolled back.',
    );
    expect(stateSentence(exampleView({ phase: 'promoted' }))).toBe('Replay 7 of all projections has been replaced.');
    expect(stateSentence(exampleView({ kind: 'roll_back', phase: 'promoted', live: true }))).toBe(
      'Rollback 7 of all projections is live. It can no longer be rolled back.',
    );
    expect(stateSentence(exampleView({ phase: 'cancelled' }))).toBe('Replay 7 of all projections is cancelled.');
  });

  it('has a sentence with its error, without control sequences', () => {
    const failed = stateSentence(
      exampleView({ halted: 'failed', error: 'trip \u001b[2J at position 9', next: exampleNext('resume') }),
    );
    expect(failed).toContain('failed while filling: trip ?[2J at position 9.');
    expect(failed).toContain('`milepost replay resume 7`');
  });
});

it('stateSentence suggests watching a running replay, and writes the inputs to supply in capitals', () => {
  expect(stateSentence(exampleView({ next: exampleNext('pause', 'throttle') }))).toBe(
    'Replay 7 of all projections is filling. Next: `milepost replay watch 7`, `milepost replay pause 7`, `milepost replay throttle 7 THROTTLE`.',
  );
});
