import { setTimeout as delay } from 'node:timers/promises';
import { cleanUp } from '@milepost/erasure';
import type { Job } from '@milepost/operations/operation';
import { ROLES, ServerPools } from '@milepost/postgres';
import type { Lane } from '@milepost/postgres/lanes';
import { withCurrentLanes } from '@milepost/postgres/lanes/watch';
import { type Logger, messageOf } from '@milepost/service';
import { type JobLane, type JobOptions, runJob, runNext } from './jobs.ts';
import { createReplayRunner } from './replays.ts';

/**
 * These connections are enough for two concurrent replays: for workers, catch-up, leases, polling, and a snapshot while
 * two tables are compared.
 */
const CONNECTIONS = 32;
const WAIT_MILLISECONDS = 60_000;
const APPLICATION_NAME = 'milepost-ops-worker';
/** The maximum number of concurrent jobs from the queue: replays, and perhaps an audit or retention. */
const MAX_CONCURRENT_JOBS = 4;
/** The pause between two searches for work. */
const POLL_MILLISECONDS = 2_000;

/** When the signal aborts, the worker stops. */
interface WorkerOptions extends JobOptions {
  databaseUrl: string;
  /** The Redis server with the queue. If undefined, the worker finds all work in PostgreSQL. */
  redisUrl: string | undefined;
  logger: Logger;
}

interface WorkerLane extends JobLane {
  runner: ReturnType<typeof createReplayRunner>;
}

function openLanes(lanes: readonly Lane[], { logger, metrics, signal }: WorkerOptions): Map<number, WorkerLane> {
  const servers = new ServerPools({
    role: ROLES.projector,
    applicationName: APPLICATION_NAME,
    connections: CONNECTIONS,
    // Statements have no timeout, because building a large table's indexes may take a long time.
    statementTimeoutMilliseconds: 0,
    acquireTimeoutMilliseconds: WAIT_MILLISECONDS,
  });
  return new Map(
    lanes.map((lane) => {
      const pool = servers.open(lane);
      const own = lanes.length === 1 ? logger : logger.child({ lane: lane.number });
      return [lane.number, { pool, logger: own, runner: createReplayRunner(pool, own, metrics, signal) }];
    }),
  );
}

/**
 * Runs replays, audits and retention until the signal aborts, then finishes the running chunks. The state of all jobs
 * is kept in PostgreSQL, which the worker polls every two seconds; with Redis, the queue announces jobs sooner. The
 * jobs of a new lane start within seconds.
 */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { databaseUrl, logger, signal } = options;
  const source = { url: databaseUrl, role: ROLES.projector, applicationName: APPLICATION_NAME };
  const onRetry = (error: unknown) =>
    logger.warn({ reason: messageOf(error) }, 'The lanes could not be read; retrying.');
  const work = async (lanes: readonly Lane[], own: AbortSignal) => await workIn(lanes, { ...options, signal: own });
  await withCurrentLanes(source, { signal, onRetry }, work).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** Removes any old versions of erased rows from a lane's files. */
async function cleanUpLane({ pool, logger }: JobLane): Promise<void> {
  const fault = await cleanUp(pool);
  if (fault !== null) logger.error(`Old versions of erased rows remain in the files. ${fault}`);
}

async function workIn(listed: readonly Lane[], options: WorkerOptions): Promise<void> {
  const { redisUrl, logger, signal } = options;
  const lanes = openLanes(listed, options);
  /** Repeats `work` until the signal aborts, with a pause unless `work` has returned true. */
  const poll = async (own: Logger, work: () => Promise<unknown>) => {
    while (!signal.aborted) {
      const isMore = await work().catch((error: unknown) => {
        if (!signal.aborted) own.warn({ reason: messageOf(error) }, 'The worker could not look for work; retrying.');
      });
      if (isMore !== true) await delay(POLL_MILLISECONDS, undefined, { signal }).catch(() => {});
    }
  };
  let isUnavailable = false;
  const onError = (error: Error) => {
    if (!isUnavailable && !signal.aborted)
      logger.warn({ reason: messageOf(error) }, 'The queue is unavailable. Jobs may start two seconds later.');
    isUnavailable = true;
  };
  const run = async (job: Job) => {
    isUnavailable = false;
    const lane = lanes.get(job.lane);
    if (job.kind === 'replay') await lane?.runner.run(job.id);
    else if (lane) await runJob(lane, job.kind, options);
  };
  const openWorker = async (url: string) =>
    (await import('../queue.ts')).openWorker(url, run, MAX_CONCURRENT_JOBS, onError);
  const worker = redisUrl === undefined ? undefined : await openWorker(redisUrl);
  try {
    const polling = [...lanes.values()].map(async (lane) => {
      await Promise.all([poll(lane.logger, lane.runner.start), poll(lane.logger, () => cleanUpLane(lane))]);
      await lane.runner.ended();
    });
    await Promise.all([...polling, poll(logger, () => runNext([...lanes.values()], options))]);
  } finally {
    await worker?.close();
    await Promise.all([...lanes.values()].map(({ pool }) => pool.end()));
  }
}
