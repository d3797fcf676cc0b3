import { expect, it } from 'vitest';
import { exampleNext, exampleVerification, exampleView } from '../../../test/support/replay-view.ts';
import { generationChanges, percentDone, phaseLine, progressLine, remainingWords, stateSentence } from './words.ts';

const THROTTLED = exampleView({ throttled_by: 'reads take 5.0 ms (idle: 1.0 ms)' });
const UNMEASURED = { trips_per_second: null, remaining_seconds: null, remaining_seconds_range: null };

it.each([
  [
    {},
    Number.POSITIVE_INFINITY,
    'Replay 7 filling ██████████░░░░░░░░░░░░░░ 41%, position 12.3 k of 30.0 k, 21.0 k trips/s, 2m05s left (1m50s to 4m00s), throttle auto',
  ],
  [
    { ...UNMEASURED, throttle: 'off', position: 29_999 },
    80,
    `Replay 7 filling ${'█'.repeat(24)} 99%, position 30.0 k of 30.0 k`,
  ],
  [{ phase: 'verifying', lane: 2 }, 80, 'Replay 7 in lane 2 verifying'],
] as const)('the progress line for the replay %j in %d columns shows what is known', (view, columns, line) => {
  expect(progressLine(exampleView(view), columns)).toBe(line);
});

it('in a narrow terminal, the progress line omits the least important parts and leaves the last column free', () => {
  expect(progressLine(THROTTLED, 200)).toMatch(
    /throttle auto, slowed down because reads take 5.0 ms \(idle: 1.0 ms\)$/,
  );
  expect(progressLine(THROTTLED, 30)).toBe('Replay 7 filling 41%');
  for (let columns = 30; columns < 200; columns += 1) {
    expect(progressLine(THROTTLED, columns).length).toBeLessThan(columns);
  }
});

it.each([
  [{}, 'Replay 7: filling, position 12345 of 30000'],
  [{ lane: 2, phase: 'indexing' }, 'Replay 7 in lane 2: building indexes'],
  [{ phase: 'verifying', halted: 'paused' }, 'Replay 7: paused while verifying'],
] as const)('the line for a pipe about the replay %j is: %s', (view, line) => {
  expect(phaseLine(exampleView(view))).toBe(line);
});

it('percentDone is below 100 before the end', () => {
  const percents = [0, 9, 10, 11].map((position) => percentDone({ position, target: 10 }));
  expect([...percents, percentDone({ position: 0, target: 0 })]).toEqual([0, 90, 100, 100, 100]);
});

it('remainingWords shows a range only if there is one, and nothing before the first measurement', () => {
  expect(remainingWords(exampleView({ remaining_seconds: null }))).toBeNull();
  expect(remainingWords(exampleView({ remaining_seconds: 0, remaining_seconds_range: null }))).toBe('0s left');
});

it('generationChanges names the current and the new generation of each projection', () => {
  const generations = [4, 3, 2].map((generation) => ({ generation, state: generation === 3 ? 'live' : 'retired' }));
  const wanted = ['trips', 'drivers'].map((projection) => ({ projection, generation: 2 }));
  expect(generationChanges([{ name: 'trips', generations }], wanted)).toBe('trips: 3 -> 2, drivers: none -> 2');
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
