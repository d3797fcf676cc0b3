import type { Job } from '@milepost/operations/operation';
import { inTime } from './in-time.ts';
import { type JobQueue, openQueue, type QueueSettings } from './queue.ts';

/**
 * Adds a job, unless one for the same purpose is open. Resolves with the open job, or with null if the queue does not
 * work. Never throws.
 */
export type Enqueue = (data: Job) => Promise<Job | null>;

export interface Enqueuer {
  enqueue: Enqueue;
  close(): Promise<void>;
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
      // A connection that was lost since the last job does not recover, and a firewall, for example, may drop it
      // without an error. A new connection is therefore tried once.
      const isUsed = queue !== undefined;
      return (await add(data)) ?? (isUsed ? await add(data) : null);
    },
    async close() {
      await queue?.close().catch(() => {});
    },
  };
}
