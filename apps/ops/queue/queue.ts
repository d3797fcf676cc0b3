import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from '@milepost/operations/operation';
import { Queue, Worker, withBackend } from 'bullmq';
import { postgresBackend } from './postgres-backend.ts';

/** The one queue, for everything that takes longer than a request. */
const QUEUE_NAME = 'milepost';

/** Two jobs for the same thing are one while the first has not ended. */
function jobIdOf(data: Job): string {
  return 'id' in data && data.id !== null ? `${data.kind}-${data.id}` : data.kind;
}

/** Audits have ids of their own, and are for the same thing all the same. */
function identityOf(data: Job): { jobId: string; deduplication?: { id: string } } {
  return { jobId: jobIdOf(data), ...(data.kind === 'audit' ? { deduplication: { id: data.kind } } : {}) };
}

/** The job that the queue has under an id: the one that was added, or an earlier one for the same thing. */
function jobOf(data: Job, jobId: string | undefined): Job {
  const [, id] = /^audit-(\d+)$/.exec(jobId ?? '') ?? [];
  return data.kind === 'audit' && id !== undefined ? { kind: 'audit', id: Number(id) } : data;
}

/** Where the queue lives: in Redis when there is one, else in the database, in a schema of BullMQ's own. */
export interface QueueSettings {
  databaseUrl: string;
  redisUrl: string | undefined;
}

/** Finished jobs tell nothing that PostgreSQL does not tell better; failed ones are kept for a look. */
const JOB_OPTIONS = { removeOnComplete: true, removeOnFail: { count: 100 }, attempts: 1 } as const;
const LONGEST_RECONNECT_MILLISECONDS = 2_000;
const REOPEN_MILLISECONDS = 1_000;

export interface JobQueue {
  /** Adds a job, unless one for the same thing has not ended yet. Resolves with the one that is to be done. */
  add(data: Job): Promise<Job>;
  /** Has a job added every so often; said again, it replaces what was said before. */
  repeat(data: Job, everyMilliseconds: number): Promise<void>;
  close(): Promise<void>;
}

interface JobWorker {
  close(): Promise<void>;
}

function redisConnection(url: string, patient: boolean) {
  return {
    url,
    maxRetriesPerRequest: null,
    retryStrategy: (attempt: number) => (patient ? Math.min(attempt * 100, LONGEST_RECONNECT_MILLISECONDS) : null),
  };
}

function openBullQueue({ databaseUrl, redisUrl }: QueueSettings, { lasting }: OpenOptions) {
  return redisUrl === undefined
    ? new (withBackend(postgresBackend).Queue)<Job, void, string>(QUEUE_NAME, {
        connection: databaseUrl,
        defaultJobOptions: JOB_OPTIONS,
      })
    : new Queue<Job, void, string>(QUEUE_NAME, {
        connection: redisConnection(redisUrl, lasting),
        defaultJobOptions: JOB_OPTIONS,
      });
}

interface OpenOptions {
  /**
   * For as long as the process lives: reconnects by itself. What only leaves a job and goes does not wait for a queue
   * that is out of order.
   */
  lasting: boolean;
}

/**
 * Opens the queue. Nothing is connected before the first use.
 *
 * @param onError told of every lost connection
 */
export function openQueue(settings: QueueSettings, options: OpenOptions, onError: (error: Error) => void): JobQueue {
  let opened: ReturnType<typeof openBullQueue> | null = null;
  const ready = async () => {
    const queue = opened ?? openBullQueue(settings, options);
    if (opened === null) queue.on('error', onError);
    opened = queue;
    try {
      await queue.waitUntilReady();
      return queue;
    } catch (error) {
      // On PostgreSQL it remembers for ever that its first connection failed: the next use opens another.
      if (opened === queue) opened = null;
      await queue.close().catch(() => {});
      throw error;
    }
  };
  return {
    async add(data) {
      const { id } = await (await ready()).add(data.kind, data, identityOf(data));
      return jobOf(data, id);
    },
    async repeat(data, every) {
      await (await ready()).upsertJobScheduler(jobIdOf(data), { every }, { name: data.kind, data });
    },
    close: async () => await opened?.close(),
  };
}

type Process = (data: Job) => Promise<void>;

function openBullWorker({ databaseUrl, redisUrl }: QueueSettings, process: Process, concurrency: number) {
  const options = { concurrency, stalledInterval: 5_000, lockDuration: 10_000, maxStalledCount: 1_000, autorun: false };
  const run = async ({ data }: { data: Job }) => await process(data);
  return redisUrl === undefined
    ? new (withBackend(postgresBackend).Worker)<Job, void, string>(QUEUE_NAME, run, {
        ...options,
        connection: databaseUrl,
      })
    : new Worker<Job, void, string>(QUEUE_NAME, run, { ...options, connection: redisConnection(redisUrl, true) });
}

/** Works on jobs, `concurrency` at once, until closed. A job that a crashed worker leaves is given to the next one. */
export function openWorker(
  settings: QueueSettings,
  process: Process,
  concurrency: number,
  onError: (error: Error) => void,
): JobWorker {
  const closing = new AbortController();
  const { signal } = closing;
  let worker: ReturnType<typeof openBullWorker> | null = null;
  const running = (async () => {
    while (!signal.aborted) {
      worker = openBullWorker(settings, process, concurrency);
      worker.on('error', onError);
      try {
        // Before it runs: with a first connection that failed, which it remembers for ever, it would ask for jobs without
        // a pause, and nothing else in this process would ever get its turn.
        await worker.waitUntilReady();
        return await worker.run();
      } catch {
        await worker.close().catch(() => {});
        await delay(REOPEN_MILLISECONDS, undefined, { signal }).catch(() => {});
      }
    }
  })();
  return {
    close: async () => {
      closing.abort();
      await worker?.close();
      await running;
    },
  };
}
