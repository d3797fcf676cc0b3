import { expect, it } from 'vitest';
import { hasEnded, progressText, stateText } from './progress-text.ts';

const FILLING = {
  phase: 'filling',
  halted: null,
  running: true,
  position: 1_200,
  target: 45_000,
  trips_per_second: null,
  remaining_seconds: null,
  remaining_seconds_range: null,
  throttled_by: null,
} as const;

it('progressText includes the speed and the remaining time as soon as they are known', () => {
  expect(progressText(FILLING)).toBe('1,200 of 45,000');
  const measured = { ...FILLING, trips_per_second: 1_500, remaining_seconds: 90 };
  expect(progressText(measured)).toBe('1,200 of 45,000 · 1,500 trips per second · 1 min 30 s left');
  expect(progressText({ ...measured, remaining_seconds_range: [45, 3_600] })).toBe(
    '1,200 of 45,000 · 1,500 trips per second · 1 min 30 s left (45 s to 1 h 00 min)',
  );
  expect(progressText({ ...FILLING, trips_per_second: 0, remaining_seconds: 0 })).toBe(
    '1,200 of 45,000 · 0 trips per second · 0 s left',
  );
});

it('progressText includes the reason why a replay is throttled', () => {
  expect(progressText({ ...FILLING, throttled_by: 'reads are slow' })).toBe(
    '1,200 of 45,000 · throttled because reads are slow',
  );
});

it.each([
  [{ running: false }, ' · waiting for a worker'],
  [{ running: true }, ''],
  [{ running: false, halted: 'paused' }, ''],
  [{ running: false, halted: 'failed' }, ''],
  [{ running: false, phase: 'waiting' }, ''],
] as const)('progressText says if a replay that can run has no worker: %j', (changed, expected) => {
  expect(progressText({ ...FILLING, ...changed })).toBe(`1,200 of 45,000${expected}`);
});

it('stateText names the phase, and whether the replay is paused or has failed', () => {
  expect(stateText({ phase: 'catching_up', halted: null })).toBe('catching up');
  expect(stateText({ phase: 'catching_up', halted: 'paused' })).toBe('catching up, paused');
  expect(stateText({ phase: 'filling', halted: 'failed' })).toBe('filling, failed');
});

it('hasEnded is true only in a final phase', () => {
  const unfinished = ['filling', 'indexing', 'catching_up', 'verifying', 'waiting', 'promoting'] as const;
  const ending = ['cancelling', 'dropping'] as const;
  const final = ['promoted', 'cancelled', 'dropped'] as const;
  expect([...unfinished, ...ending, ...final].filter((phase) => hasEnded({ phase }))).toEqual(final);
});
