import { expect, it } from 'vitest';
import { backoffMilliseconds, retryTransientErrors } from './retry.ts';

it('backoffMilliseconds doubles with each attempt, up to ten seconds or the given limit', () => {
  for (const [attempt, limit, longest] of [
    [0, undefined, 100],
    [3, undefined, 800],
    [7, undefined, 10_000],
    [9, 60_000, 51_200],
    [10_000, 60_000, 60_000],
  ] as const) {
    const wait = backoffMilliseconds(attempt, limit);
    expect(wait).toBeGreaterThanOrEqual(longest / 2);
    expect(wait).toBeLessThanOrEqual(longest);
  }
});

const lost = () => Object.assign(new Error('lost'), { code: '57P01' });

it('retryTransientErrors repeats the work until it succeeds, and reports each error with the delay', async () => {
  const { signal } = new AbortController();
  const reported: unknown[] = [];
  let attempts = 0;
  const work = async () => {
    attempts += 1;
    if (attempts < 3) throw lost();
    return attempts;
  };
  const onRetry = (error: unknown, milliseconds: number) => reported.push(error, milliseconds);
  expect(await retryTransientErrors(work, { signal, onRetry })).toBe(3);
  expect(reported).toEqual([lost(), expect.any(Number), lost(), expect.any(Number)]);
  expect(reported[1]).toBeLessThanOrEqual(100);
  expect(reported[3]).toBeGreaterThanOrEqual(100);
});

it('retryTransientErrors throws a permanent error immediately', async () => {
  const { signal } = new AbortController();
  const reported: unknown[] = [];
  const fault = Object.assign(new Error('fault'), { code: '23505' });
  const work = async () => await Promise.reject(fault);
  await expect(retryTransientErrors(work, { signal, onRetry: (error) => reported.push(error) })).rejects.toBe(fault);
  expect(reported).toEqual([]);
});

it('retryTransientErrors throws the reason for an abort, before the first attempt or between attempts', async () => {
  const reason = new Error('stopped');
  let attempts = 0;
  const work = async () => {
    attempts += 1;
    throw attempts === 1 ? lost() : new Error('It was attempted again.');
  };
  await expect(retryTransientErrors(work, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(attempts).toBe(0);
  const stop = new AbortController();
  const onRetry = () => stop.abort(reason);
  await expect(retryTransientErrors(work, { signal: stop.signal, onRetry })).rejects.toBe(reason);
  expect(attempts).toBe(1);
});
