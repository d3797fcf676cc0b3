import { getEventListeners } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { retryDelayMilliseconds, waitFor } from './retry.ts';

it.each([0, 0.5, 1])('a delay that the service asks for is kept exactly (random number %d)', (random) => {
  expect(retryDelayMilliseconds(3, 7, random)).toBe(7_000);
  expect(retryDelayMilliseconds(3, 0, random)).toBe(0);
});

it.each([
  [0, 250, 500],
  [1, 500, 1_000],
  [2, 1_000, 2_000],
  [9, 5_000, 10_000],
])('after %i retries, the delay is random between %i and %i milliseconds', (retries, least, most) => {
  expect(retryDelayMilliseconds(retries, null, 0)).toBe(least);
  expect(retryDelayMilliseconds(retries, null, 1)).toBe(most);
});

it('waitFor rejects immediately when the signal is already aborted', async () => {
  await expect(waitFor(60_000, AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
});

it('waitFor leaves no listener on the signal, which many calls may share', async () => {
  const { signal } = new AbortController();
  await waitFor(1, signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('waitFor leaves no timer after an abort, because it would keep the process alive', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const abort = new AbortController();
  const waiting = waitFor(60_000, abort.signal);
  expect(vi.getTimerCount()).toBe(1);
  abort.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
  expect(vi.getTimerCount()).toBe(0);
});
