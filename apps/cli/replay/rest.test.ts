import { describe, expect, it } from 'vitest';
import { exampleVerification, exampleView } from './example-view.ts';
import { isAtRest, isReached, restSentence } from './rest.ts';

describe('a replay at rest', () => {
  it.each([
    [{ phase: 'filling' }, false],
    [{ phase: 'filling', halted: 'paused' }, true],
    [{ phase: 'cancelling' }, false],
    [{ phase: 'waiting' }, true],
    [{ phase: 'promoted' }, true],
  ] as const)('%j: %s', (state, expected) => expect(isAtRest(exampleView(state))).toBe(expected));

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
    ['ended', { phase: 'dropped' }, true],
    ['ended', { phase: 'cancelled' }, false],
  ] as const)('that was to be %s and is %j is a success: %s', (goal, state, expected) => {
    expect(isReached(exampleView(state), goal)).toBe(expected);
  });

  it('says what became of it and what can be done', () => {
    expect(restSentence(exampleView({ phase: 'waiting', verification: exampleVerification(0, true) }))).toBe(
      'Replay 7 of all is verified as equal to the live read tables, and waits. `milepost replay promote 7`: make it live; `milepost replay drop 7`: remove what it has built.',
    );
    const differing = restSentence(exampleView({ phase: 'waiting', verification: exampleVerification(3, false) }));
    expect(differing).toContain('3 rows differ from the live read tables, which nothing explains');
    expect(differing).toContain('`milepost replay promote 7 --accept-differences`');
    const promoted = { phase: 'promoted', can_be_rolled_back: true } as const;
    expect(restSentence(exampleView(promoted))).toContain('`milepost replay rollback all`');
    expect(restSentence(exampleView({ phase: 'promoted', live: true }))).toBe(
      'Replay 7 of all is live, and can no longer be rolled back.',
    );
    expect(restSentence(exampleView({ phase: 'promoted' }))).toBe('Replay 7 of all is replaced.');
    expect(restSentence(exampleView({ kind: 'roll_back', phase: 'promoted', live: true }))).toBe(
      'Replay 7 has rolled all back, and what it made live again is live.',
    );
    expect(restSentence(exampleView({ phase: 'cancelled' }))).toBe('Replay 7 of all is cancelled.');
  });

  it('tells the error of a failed one, harmless to the terminal', () => {
    const failed = restSentence(exampleView({ halted: 'failed', error: 'trip \u001b[2J at position 9' }));
    expect(failed).toContain('failed while filling: trip ?[2J at position 9.');
    expect(failed).toContain('`milepost replay resume 7`');
  });
});
