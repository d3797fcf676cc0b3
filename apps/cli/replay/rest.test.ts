import { expect, it } from 'vitest';
import { exampleNext, exampleVerification, exampleView } from '../../../test/support/replay-view.ts';
import { isAtRest, isReached, stateSentence } from './rest.ts';

it.each([
  [{ phase: 'filling' }, false],
  [{ phase: 'filling', halted: 'paused' }, true],
  [{ phase: 'cancelling' }, false],
  [{ phase: 'waiting' }, true],
  [{ phase: 'promoted' }, true],
] as const)('the replay %j is at rest: %s', (state, expected) => expect(isAtRest(exampleView(state))).toBe(expected));

it.each([
  ['built', { phase: 'waiting' }, true],
  ['built', { phase: 'waiting', promote: true }, false],
  ['built', { phase: 'promoted', promote: true }, true],
  ['built', { phase: 'cancelled' }, false],
  ['built', { phase: 'filling', halted: 'paused' }, false],
  ['promoted', { phase: 'waiting' }, false],
  ['cancelled', { phase: 'cancelled' }, true],
  ['cancelled', { phase: 'promoted' }, false],
  ['dropped', { phase: 'promoted' }, true],
  ['dropped', { phase: 'waiting' }, false],
  ['ended', { phase: 'dropped' }, true],
  ['ended', { phase: 'cancelled' }, false],
] as const)('the goal %s is reached in the state %j: %s', (goal, state, expected) => {
  expect(isReached(exampleView(state), goal)).toBe(expected);
});

const rollback = { operation: 'replay.rollback', input: { name: 'all' } };
const accept = { operation: 'replay.promote', input: { id: 7, accept_differences: true } };

it.each<[Parameters<typeof exampleView>[0], string]>([
  [
    { next: exampleNext('pause', 'throttle') },
    'is filling. Next: `milepost replay watch 7`, `milepost replay pause 7`, `milepost replay throttle 7 THROTTLE`.',
  ],
  [
    { phase: 'waiting', verification: exampleVerification(3, false), next: [accept] },
    'is waiting to be promoted (3 rows differ, which no version change explains). Next: `milepost replay promote 7 --accept-differences`.',
  ],
  [
    { phase: 'promoted', live: true, can_be_rolled_back: true, next: [rollback] },
    'is live. Next: `milepost replay rollback all`.',
  ],
  [{ phase: 'promoted', live: true }, 'is live. It can no longer be rolled back.'],
  [{ phase: 'promoted' }, 'has been replaced.'],
  [{ phase: 'cancelled' }, 'is cancelled.'],
  [{ halted: 'failed', error: 'trip \u001b[2J at position 9' }, 'is failed while filling: trip ?[2J at position 9.'],
])('the sentence about the replay %j contains its state and the next commands', (view, sentence) => {
  expect(stateSentence(exampleView(view))).toBe(`Replay 7 of all projections ${sentence}`);
});
