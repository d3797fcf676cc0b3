import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from '@milepost/operations/operation';
import { type JobQueue, openQueue, type QueueSettings } from './queue.ts';

/** A queue that does not answer by then is taken for out of order. */
const PATIENCE_MILLISECONDS = 2_000;

/** Adds a job, unless one for the same thing has not ended yet. False when the queue is out of order. Never throws. */
export type Enqueue = (data: Job) => Promise<boolean>;

export interface Enqueuer {
  enqueue: Enqueue;
  close(): Promise<void>;
}

async function within(work: Promise<void>): Promise<boolean> {
  const patience = new AbortController();
  const late = delay(PATIENCE_MILLISECONDS, false, { signal: patience.signal, ref: false }).catch(() => false);
  return await Promise.race([work.then(() => true), late]).finally(() => patience.abort());
}

/** Where a server hands jobs in: one connection for all requests, made at the first job. */
export function openEnqueuer(settings: QueueSettings): Enqueuer {
  let queue: JobQueue | undefined;

  async function add(data: Job): Promise<boolean> {
    const used = queue ?? openQueue(settings, { lasting: false }, () => {});
    queue = used;
    try {
      return await within(used.add(data));
    } catch {
      if (queue === used) queue = undefined;
      used.close().catch(() => {});
      return false;
    }
  }

  return {
    async enqueue(data) {
      // A connection that was lost since the last job stays lost: then once more, with a new one.
      const isUsed = queue !== undefined;
      return (await add(data)) || (isUsed && (await add(data)));
    },
    async close() {
      if (queue) await within(queue.close()).catch(() => false);
    },
  };
}
