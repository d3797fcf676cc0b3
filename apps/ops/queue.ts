import type { Job } from '@milepost/operations/operation';
import { inTime } from '@milepost/postgres';
import { Queue, Worker } from 'bullmq';

/** The name of the only queue. Its jobs are tasks that take longer than a request. */
const QUEUE_NAME = 'milepost';
/**
 * Finished jobs are removed, because PostgreSQL has their results, and a finished job would block a later one with the
 * same id.
 */
const JOB_OPTIONS = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const;
const MAX_RECONNECT_MILLISECONDS = 2_000;
/** If Redis does not respond within this time, it counts as unavailable. */
const TIMEOUT_MILLISECONDS = 2_000;

/** Returns whether Redis completes the work in time. */
async function succeedsInTime(work: Promise<unknown>): Promise<boolean> {
  return await inTime(work, TIMEOUT_MILLISECONDS, 'Redis is not responding.').then(
    () => true,
    () => false,
  );
}

function connectionTo(url: string, isClosing: () => boolean) {
  return {
    url,
    maxRetriesPerRequest: null,
    retryStrategy: (attempt: number) => (isClosing() ? null : Math.min(attempt * 100, MAX_RECONNECT_MILLISECONDS)),
  };
}

/** Opens the queue on a Redis server, with which BullMQ announces jobs to the workers. */
export function openQueue(redisUrl: string) {
  let isClosing = false;
  const queue = new Queue<Job, void, string>(QUEUE_NAME, {
    connection: connectionTo(redisUrl, () => isClosing),
    defaultJobOptions: JOB_OPTIONS,
  });
  // Without a listener, the loss of a connection would end the process.
  queue.on('error', () => {});
  return {
    /**
     * Adds a job, unless the queue already contains it. Never throws, and waits at most two seconds, because workers
     * also find the job in PostgreSQL.
     */
    async add(job: Job) {
      const jobId = [job.kind, ...('id' in job ? [job.id] : []), 'lane', job.lane].join('-');
      await succeedsInTime(queue.add(job.kind, job, { jobId }));
    },
    async close() {
      isClosing = true;
      if (await succeedsInTime(queue.close())) return;
      // An open connection would keep the process alive. The disconnection is not awaited, because it never completes
      // if the connection is lost.
      queue.disconnect().catch(() => {});
    },
  };
}

export type JobQueue = ReturnType<typeof openQueue>;

/**
 * Opens a worker, which runs up to `concurrency` jobs from the queue at a time until it is closed.
 *
 * @param onError is called for every lost connection
 */
export function openWorker(
  redisUrl: string,
  run: (job: Job) => Promise<void>,
  concurrency: number,
  onError: (error: Error) => void,
): { close(): Promise<void> } {
  let isClosing = false;
  const jobs = new Set<Promise<void>>();
  const runJob = async ({ data }: { data: Job }) => {
    const job = run(data);
    jobs.add(job);
    await job.finally(() => jobs.delete(job));
  };
  const worker = new Worker<Job, void, string>(QUEUE_NAME, runJob, {
    concurrency,
    connection: connectionTo(redisUrl, () => isClosing),
  });
  worker.on('error', onError);
  return {
    close: async () => {
      isClosing = true;
      if (await succeedsInTime(worker.getBackend().isMaxed())) {
        await worker.close();
        return;
      }
      // If the connection is lost, BullMQ must be forced to close, because otherwise it would wait forever. A forced
      // close does not wait for running jobs. Jobs do not need the queue, so they are awaited here first.
      await Promise.allSettled(jobs);
      await succeedsInTime(worker.close(true));
    },
  };
}
