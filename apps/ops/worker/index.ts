import type { JobMetrics } from '@milepost/metrics/jobs';
import type { Job } from '@milepost/operations/operation';
import { type Pool, ROLES, ServerPools } from '@milepost/postgres';
import { FIRST_LANE, type Lane, withCurrentLanes } from '@milepost/postgres/lanes';
import { type Logger, messageOf } from '@milepost/service';
import { openQueue, openWorker, type QueueSettings } from '../queue/index.ts';
import { pollCleanups } from './cleanups.ts';
import { createReplayRunner } from './replays.ts';
import type { RetentionOptions } from './retention.ts';
import { type Schedule, scheduleJobs } from './schedule.ts';
import { runTask } from './tasks.ts';

/**
 * Enough connections for two concurrent replays: for workers, catch-up, leases, polling, and a snapshot while two
 * tables are compared.
 */
const CONNECTIONS = 32;
const WAIT_MILLISECONDS = 60_000;
const APPLICATION_NAME = 'milepost-ops-worker';
/** The maximum number of concurrent jobs, which are replays and perhaps an audit or retention. */
const MAX_CONCURRENT_JOBS = 4;

interface WorkerOptions extends QueueSettings {
  schedule: Schedule;
  tasks: RetentionOptions;
  /** Counts jobs. If undefined, nothing is counted. */
  metrics?: JobMetrics;
  logger: Logger;
  signal: AbortSignal;
}

/** The pool and the replays of a lane. */
interface WorkerLane {
  pool: Pool;
  logger: Logger;
  runner: ReturnType<typeof createReplayRunner>;
}

function openLanes(lanes: readonly Lane[], logger: Logger, signal: AbortSignal): Map<number, WorkerLane> {
  const servers = new ServerPools({
    role: ROLES.projector,
    applicationName: APPLICATION_NAME,
    connections: CONNECTIONS,
    // There is no timeout, because building the indexes of a large table may take a long time.
    statementTimeoutMilliseconds: 0,
    acquireTimeoutMilliseconds: WAIT_MILLISECONDS,
  });
  return new Map(
    lanes.map((lane) => {
      const pool = servers.open(lane);
      const own = lanes.length === 1 ? logger : logger.child({ lane: lane.number });
      return [lane.number, { pool, logger: own, runner: createReplayRunner(pool, own, signal, lane.number) }];
    }),
  );
}

/** Runs a job in its lane. A scheduled job runs in all lanes, one after another. */
async function runJob(
  lanes: ReadonlyMap<number, WorkerLane>,
  data: Job,
  tasks: RetentionOptions,
  signal: AbortSignal,
): Promise<void> {
  const isForAll =
    data.lane === undefined && (data.kind === 'retention' || (data.kind === 'audit' && data.id === null));
  for (const [number, { pool, logger, runner }] of lanes) {
    if (!isForAll && number !== (data.lane ?? FIRST_LANE)) continue;
    if (data.kind === 'replay') await runner.run(data.id);
    else await runTask(data, { ...tasks, pool, logger, signal });
  }
}

/**
 * Runs the jobs of the queue until the signal aborts, then finishes the running chunks. While the queue is unavailable,
 * replays continue, but scheduled jobs do not start. The jobs of a new lane run within seconds.
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

async function workIn(
  listed: readonly Lane[],
  { databaseUrl, redisUrl, schedule, tasks, metrics, logger, signal }: WorkerOptions,
): Promise<void> {
  const lanes = openLanes(listed, logger, signal);
  let isUnavailable = false;
  const onError = (error: Error) => {
    if (!isUnavailable && !signal.aborted)
      logger.warn({ reason: messageOf(error) }, 'The queue is unavailable. Replays continue.');
    isUnavailable = true;
  };
  const settings = { databaseUrl, redisUrl };
  const queue = openQueue(settings, { reconnects: true }, onError);
  const process = async (data: Job) => {
    const work = async () => await runJob(lanes, data, tasks, signal);
    await (metrics ? metrics.measure(data.kind, work) : work());
    isUnavailable = false;
  };
  const worker = openWorker(settings, process, MAX_CONCURRENT_JOBS, onError);
  try {
    const polling = [...lanes.values()].flatMap(({ pool, logger: own, runner }) => [
      runner.poll(queue),
      pollCleanups(pool, own, signal),
    ]);
    await Promise.all([...polling, scheduleJobs(queue, schedule, onError, signal)]);
  } finally {
    await Promise.allSettled([worker.close(), queue.close()]);
    await Promise.all([...lanes.values()].map(({ pool }) => pool.end()));
  }
}
