import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from '@milepost/operations/operation';
import { type JobQueue, openQueue, type QueueSettings } from './queue.ts';

/** A queue that does not answer by then is taken for out of order. */
const PATIENCE_MILLISECONDS = 2_000;

/**
 * Adds a job, unless one for the same thing has not ended yet. Resolves with the one that is to be done; null when the queue
 * is out of order. Never throws.
 */
export type Enqueue = (data: Job) => Promise<Job | null>;

export interface Enqueuer {
  enqueue: Enqueue;
  close(): Promise<void>;
}

async function within<Result>(work: Promise<Result>): Promise<Result | null> {
  const patience = new AbortController();
  const late = delay(PATIENCE_MILLISECONDS, null, { signal: patience.signal, ref: false }).catch(() => null);
  return await Promise.race([work, late]).finally(() => patience.abort());
}

/** Where a server hands jobs in: one connection for all requests, made at the first job. */
export function openEnqueuer(settings: QueueSettings): Enqueuer {
  let queue: JobQueue | undefined;

  async function add(data: Job): Promise<Job | null> {
    const used = queue ?? openQueue(settings, { lasting: false }, () => {});
    queue = used;
    try {
      return await within(used.add(data));
    } catch {
      if (queue === used) queue = undefined;
      used.close().catch(() => {});
      return null;
    }
  }

  return {
    async enqueue(data) {
      // A connection that was lost since the last job stays lost: then once more, with a new one.
      const isUsed = queue !== undefined;
      return (await add(data)) ?? (isUsed ? await add(data) : null);
    },
    async close() {
      if (queue) await within(queue.close()).catch(() => {});
    },
  };
}
