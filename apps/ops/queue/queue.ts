import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from '@milepost/operations/operation';
import { FIRST_LANE } from '@milepost/postgres/lanes';
import { Queue, Worker, withBackend } from 'bullmq';
import { inTime } from './in-time.ts';
import { postgresBackend } from './postgres-backend.ts';

/** The name of the only queue. Its jobs are the work that takes longer than a request. */
const QUEUE_NAME = 'milepost';

function laneSuffix({ lane = FIRST_LANE }: Job): string {
  return lane === FIRST_LANE ? '' : `-lane-${lane}`;
}

/** Returns the id of a job. Until a job with this id has ended, BullMQ does not add another one. */
function jobIdOf(data: Job): string {
  const id = 'id' in data && data.id !== null ? `-${data.id}` : '';
  return `${data.kind}${id}${laneSuffix(data)}`;
}

/** Audits have different ids but the same purpose, so they also need a common id for deduplication. */
function identityOf(data: Job): { jobId: string; deduplication?: { id: string } } {
  return {
    jobId: jobIdOf(data),
    ...(data.kind === 'audit' ? { deduplication: { id: `${data.kind}${laneSuffix(data)}` } } : {}),
  };
}

/** Returns the job that the queue has under an id, which is the added job or an earlier one for the same purpose. */
function jobOf(data: Job, jobId: string | undefined): Job {
  const [, id] = /^audit-(\d+)(?:-lane-\d+)?$/.exec(jobId ?? '') ?? [];
  return data.kind === 'audit' && id !== undefined ? { ...data, id: Number(id) } : data;
}

/** Where the queue is: in Redis if there is one, otherwise in a BullMQ schema in the database. */
export interface QueueSettings {
  databaseUrl: string;
  redisUrl: string | undefined;
}

/** Finished jobs are removed, because PostgreSQL has their results. Failed jobs are kept for diagnosis. */
const JOB_OPTIONS = { removeOnComplete: true, removeOnFail: { count: 100 }, attempts: 1 } as const;
const MAX_RECONNECT_MILLISECONDS = 2_000;
const REOPEN_MILLISECONDS = 1_000;

/** Returns whether the queue's server does the work in time. */
async function succeedsInTime(work: Promise<unknown>): Promise<boolean> {
  return await inTime(work).then(
    () => true,
    () => false,
  );
}

export interface JobQueue {
  /** Adds a job, unless one for the same purpose is open. Resolves with the open job. */
  add(data: Job): Promise<Job>;
  /** Schedules a repeated job or changes its schedule. */
  repeat(data: Job, everyMilliseconds: number): Promise<void>;
  close(): Promise<void>;
}

interface JobWorker {
  close(): Promise<void>;
}

function redisConnection(url: string, reconnects: () => boolean) {
  return {
    url,
    maxRetriesPerRequest: null,
    retryStrategy: (attempt: number) => (reconnects() ? Math.min(attempt * 100, MAX_RECONNECT_MILLISECONDS) : null),
  };
}

function openBullQueue({ databaseUrl, redisUrl }: QueueSettings, reconnects: () => boolean) {
  return redisUrl === undefined
    ? new (withBackend(postgresBackend).Queue)<Job, void, string>(QUEUE_NAME, {
        connection: databaseUrl,
        defaultJobOptions: JOB_OPTIONS,
      })
    : new Queue<Job, void, string>(QUEUE_NAME, {
        connection: redisConnection(redisUrl, reconnects),
        defaultJobOptions: JOB_OPTIONS,
      });
}

interface OpenOptions {
  /**
   * Whether a lost connection is opened again. A process that keeps running needs this, but a process that only adds a
   * job must not wait for a queue that does not work.
   */
  reconnects: boolean;
}

/**
 * Opens the queue, which connects on first use.
 *
 * @param onError is called for every lost connection
 */
export function openQueue(settings: QueueSettings, options: OpenOptions, onError: (error: Error) => void): JobQueue {
  let opened: ReturnType<typeof openBullQueue> | null = null;
  let closing = false;
  const ready = async () => {
    const queue = opened ?? openBullQueue(settings, () => options.reconnects && !closing);
    if (opened === null) queue.on('error', onError);
    opened = queue;
    try {
      await queue.waitUntilReady();
      return queue;
    } catch (error) {
      // On PostgreSQL, a queue whose first connection failed never recovers, so the next use opens another one.
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
    async close() {
      closing = true;
      if (!opened || (await succeedsInTime(opened.close()))) return;
      // An open connection would keep the process alive. The disconnection is not awaited, because it never ends if the
      // connection is lost.
      opened.disconnect().catch(() => {});
    },
  };
}

type Process = (data: Job) => Promise<void>;

function openBullWorker(
  { databaseUrl, redisUrl }: QueueSettings,
  process: Process,
  concurrency: number,
  reconnects: () => boolean,
) {
  const options = { concurrency, stalledInterval: 5_000, lockDuration: 10_000, maxStalledCount: 1_000, autorun: false };
  const run = async ({ data }: { data: Job }) => await process(data);
  return redisUrl === undefined
    ? new (withBackend(postgresBackend).Worker)<Job, void, string>(QUEUE_NAME, run, {
        ...options,
        connection: databaseUrl,
      })
    : new Worker<Job, void, string>(QUEUE_NAME, run, {
        ...options,
        connection: redisConnection(redisUrl, reconnects),
      });
}

/**
 * Opens a worker, which runs up to `concurrency` jobs at a time until it is closed. If a worker crashes, another worker
 * gets its jobs.
 */
export function openWorker(
  settings: QueueSettings,
  process: Process,
  concurrency: number,
  onError: (error: Error) => void,
): JobWorker {
  const closing = new AbortController();
  const { signal } = closing;
  const jobs = new Set<Promise<void>>();
  const runJob = async (data: Job) => {
    const job = process(data);
    jobs.add(job);
    await job.finally(() => jobs.delete(job));
  };
  let worker: ReturnType<typeof openBullWorker> | null = null;
  const running = (async () => {
    while (!signal.aborted) {
      worker = openBullWorker(settings, runJob, concurrency, () => !signal.aborted);
      worker.on('error', onError);
      try {
        // This must succeed before the worker runs, because a worker whose first connection failed never recovers. It
        // would poll for jobs without a pause and block everything else in this process.
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
      if (!worker || (await succeedsInTime(worker.getBackend().isMaxed()))) {
        await worker?.close();
        await running;
        return;
      }
      // BullMQ would wait forever for a lost connection unless it is forced to close, and then it does not wait for the
      // running jobs. These do not need the queue, so they are awaited here first.
      await Promise.allSettled(jobs);
      await succeedsInTime(worker.close(true));
    },
  };
}
