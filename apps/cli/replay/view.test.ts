import { expect, it } from 'vitest';
import { exampleView } from '../../../test/support/replay-view.ts';
import { isAtRest, isReached, viewJson } from './view.ts';

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

it("a replay's JSON contains the documented fields first, then additional ones", () => {
  const fields = Object.keys(viewJson(exampleView()));
  const first = 'id,projection,phase,position,target,trips_per_second,remaining_seconds,throttle,verification,error';
  expect(fields.slice(0, 10)).toEqual(first.split(','));
  expect(fields.sort()).toEqual(Object.keys(exampleView()).sort());
});
