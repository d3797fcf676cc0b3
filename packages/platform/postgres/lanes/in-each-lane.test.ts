import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { isTransientError } from '../errors.ts';
import { inEachLane } from './in-each-lane.ts';

const A_MINUTE = 60_000;

it('inEachLane returns the results of the other lanes when one fails, and names the lane that failed', async () => {
  const fault = new Error('fault');
  const ended: number[] = [];
  const outcomes = await inEachLane([0, 1, 2], A_MINUTE, async (lane) => {
    if (lane === 1) throw fault;
    // The other lanes finish after this failure.
    await new Promise((resolve) => setImmediate(resolve));
    ended.push(lane);
    return lane * 10;
  });
  expect(outcomes).toEqual({ results: [0, 20], failures: [{ lane: 1, error: fault }] });
  expect(ended).toEqual([0, 2]);
});

it('inEachLane gives up on a lane that does not respond, with an error that is worth a retry', async () => {
  const never = new Promise<number>(() => {});
  const { results, failures } = await inEachLane([0, 1], 50, async (lane) => (lane === 0 ? never : lane));
  expect(results).toEqual([1]);
  expect(failures).toMatchObject([{ lane: 0, error: { message: 'The lane did not respond within 0.05 s.' } }]);
  expect(isTransientError(failures[0]?.error)).toBe(true);
});

it('inEachLane with restarts gives the other lanes the full time again once a lane has ended, not more', async () => {
  // Node runs timers in the order of their times, even if they are all late.
  const lateOf = async (ends: readonly number[], options?: { restarts: true }) => {
    const work = async (end: number) => delay(end, end);
    const { results, failures } = await inEachLane(ends, 100, work, options);
    return { results, late: failures.map(({ lane }) => lane) };
  };
  const ends = [60, 150, 240, 2_000];
  expect(await lateOf(ends)).toEqual({ results: [60], late: [150, 240, 2_000] });
  expect(await lateOf(ends, { restarts: true })).toEqual({ results: [60, 150, 240], late: [2_000] });
  expect(await lateOf([130, 160], { restarts: true })).toEqual({ results: [], late: [130, 160] });
});

it('inEachLane leaves no timer that would keep the process alive', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
  const before = timers();
  await inEachLane([0, 1], A_MINUTE, async (lane) => lane);
  expect(timers()).toBeLessThanOrEqual(before);
});

it('inEachLane returns nothing when there are no lanes', async () => {
  expect(await inEachLane([], A_MINUTE, async () => 1)).toEqual({ results: [], failures: [] });
});
