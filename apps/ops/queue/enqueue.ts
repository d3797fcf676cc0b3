import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from '@milepost/operations/operation';
import { type JobQueue, openQueue, type QueueSettings } from './queue.ts';

/** A queue that does not answer within this time counts as unavailable. */
const TIMEOUT_MILLISECONDS = 2_000;

/**
 * Adds a job, unless one for the same purpose is open. Resolves with the open job, or with null if the queue does not
 * work. Never throws.
 */
export type Enqueue = (data: Job) => Promise<Job | null>;

export interface Enqueuer {
  enqueue: Enqueue;
  close(): Promise<void>;
}

/** Rejects when the work takes too long. */
async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const timeout = new AbortController();
  const late = delay(TIMEOUT_MILLISECONDS, undefined, { signal: timeout.signal, ref: false }).then(() => {
    throw new Error(`The queue does not answer within ${TIMEOUT_MILLISECONDS} ms.`);
  });
  return await Promise.race([work, late]).finally(() => timeout.abort());
}

/** Opens the queue of a server. All requests share one connection, which is opened for the first job. */
export function openEnqueuer(settings: QueueSettings): Enqueuer {
  let queue: JobQueue | undefined;

  async function add(data: Job): Promise<Job | null> {
    const used = queue ?? openQueue(settings, { reconnects: false }, () => {});
    queue = used;
    try {
      return await inTime(used.add(data));
    } catch {
      if (queue === used) queue = undefined;
      used.close().catch(() => {});
      return null;
    }
  }

  return {
    async enqueue(data) {
      // A connection that was lost since the last job does not recover. It may be lost without an error, for example in a
      // firewall. In these cases, a new connection is tried once.
      const isUsed = queue !== undefined;
      return (await add(data)) ?? (isUsed ? await add(data) : null);
    },
    async close() {
      await queue?.close().catch(() => {});
    },
  };
}
