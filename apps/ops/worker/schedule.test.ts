import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { scheduleJobs } from './schedule.ts';

const SCHEDULE = { audit_interval_minutes: 5, retention_interval_minutes: 60 };

function queueWith(onRepeat: () => void) {
  const repeated: unknown[] = [];
  return {
    repeated,
    add: async () => await Promise.reject(new Error('Nothing is added.')),
    repeat: async (...job: unknown[]) => {
      repeated.push(job);
      onRepeat();
    },
    close: async () => {},
  };
}

it('scheduleJobs repeats audits and retention at their intervals, until the process stops', async () => {
  const stop = new AbortController();
  const queue = queueWith(() => queue.repeated.length === 2 && stop.abort());
  await scheduleJobs(queue, SCHEDULE, () => {}, stop.signal);
  expect(queue.repeated).toEqual([
    [{ kind: 'audit', id: null }, 300_000],
    [{ kind: 'retention' }, 3_600_000],
  ]);
});

it('scheduleJobs reports a queue that fails, and goes on', async () => {
  const stop = new AbortController();
  const errors: string[] = [];
  const queue = queueWith(() => {
    throw new Error('The queue is away.');
  });
  const onError = ({ message }: Error) => {
    errors.push(message);
    stop.abort();
  };
  await scheduleJobs(queue, SCHEDULE, onError, stop.signal);
  expect(errors).toEqual(['The queue is away.']);
});

it('scheduleJobs stops while the queue does not answer', async () => {
  const stop = new AbortController();
  const queue = {
    ...queueWith(() => {}),
    repeat: async () => {
      stop.abort();
      return await new Promise<never>(() => {});
    },
  };
  const stopped = scheduleJobs(queue, SCHEDULE, () => {}, stop.signal).then(() => 'stopped');
  expect(await Promise.race([stopped, nextTurn('waits')])).toBe('stopped');
});
