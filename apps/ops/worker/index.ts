import { createPool, ROLES } from '@milepost/postgres';
import { type Logger, messageOf } from '@milepost/service';
import { openQueue, openWorker, type QueueSettings } from '../queue/index.ts';
import { createReplayRunner } from './replays.ts';
import type { RetentionOptions } from './retention.ts';
import { type Schedule, scheduleJobs } from './schedule.ts';
import { runTask } from './tasks.ts';

/** Workers, catching up, leases, looks, and a snapshot held while two tables are compared, for two replays at once. */
const CONNECTIONS = 32;
/** Replays at once, with room for an audit beside them. */
const JOBS_AT_ONCE = 4;

interface WorkerOptions extends QueueSettings {
  schedule: Schedule;
  tasks: RetentionOptions;
  logger: Logger;
  signal: AbortSignal;
}

/**
 * Works on the queue's jobs until the signal aborts; then lets the chunks under way come to their end. Everything goes on
 * when the queue is out of order, but for what is scheduled.
 */
export async function runWorker({
  databaseUrl,
  redisUrl,
  schedule,
  tasks,
  logger,
  signal,
}: WorkerOptions): Promise<void> {
  const pool = createPool({
    url: databaseUrl,
    role: ROLES.projector,
    applicationName: 'milepost-ops-worker',
    connections: CONNECTIONS,
    // Indexes of a large table take as long as they take.
    statementTimeoutMilliseconds: 0,
    acquireTimeoutMilliseconds: 60_000,
  });
  let away = false;
  const onError = (error: Error) => {
    if (!away && !signal.aborted) logger.warn({ reason: messageOf(error) }, 'the queue is out of order; replays go on');
    away = true;
  };
  const settings = { databaseUrl, redisUrl };
  const queue = openQueue(settings, { lasting: true }, onError);
  const runner = createReplayRunner(pool, logger, signal);
  const process = async (data: Parameters<typeof runTask>[0] | { kind: 'replay'; id: number }) => {
    if (data.kind === 'replay') await runner.run(data.id);
    else await runTask(data, { ...tasks, pool, logger, signal });
    away = false;
  };
  const worker = openWorker(settings, process, JOBS_AT_ONCE, onError);
  try {
    await Promise.all([runner.look(queue), scheduleJobs(queue, schedule, onError, signal)]);
  } finally {
    await Promise.allSettled([worker.close(), queue.close()]);
    await pool.end();
  }
}
