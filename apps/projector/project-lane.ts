import { setTimeout as delay } from 'node:timers/promises';
import type { ProjectorMetrics } from '@milepost/metrics/projector';
import { type Pool, retryTransientErrors } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { ProjectionVersionError, prepareGenerations, runProjections, type WakeUp } from '@milepost/projections/engine';
import { type Logger, messageOf } from '@milepost/service';

/**
 * The number of positions applied in one transaction. A larger batch spreads the cost of a commit over more positions,
 * but its stored events become visible later.
 */
const BATCH_SIZE = 10_000;
const RESTART_MILLISECONDS = 10_000;

interface LaneOptions {
  pool: Pool;
  wakeUp: WakeUp;
  pollMilliseconds: number;
  metrics: ProjectorMetrics;
  logger: Logger;
  signal: AbortSignal;
}

/** Applies a lane's event log to its live read tables until the signal aborts. */
export async function projectLane(options: LaneOptions): Promise<void> {
  const { pool, wakeUp, pollMilliseconds, metrics, logger, signal } = options;
  const onRetry = (error: unknown, delay_milliseconds: number) =>
    logger.warn({ reason: messageOf(error), delay_milliseconds }, 'a batch was not applied: retrying');
  await retryTransientErrors(() => prepareGenerations(pool, PROJECTIONS), { signal, onRetry });
  logger.info({ projections: PROJECTIONS.map(({ name, version }) => `${name} v${version}`) }, 'projector started');
  await runProjections(pool, PROJECTIONS, {
    batchSize: BATCH_SIZE,
    pollMilliseconds,
    signal,
    wakeUp,
    onRetry,
    onApplied: (batch) => metrics.countBatch(batch),
    onAdvance: ({ after, through }) => {
      if (through > after) logger.debug({ after, through }, 'batch applied');
    },
    onFailure(error) {
      const remedy =
        error instanceof ProjectionVersionError
          ? ' `milepost replay start all --promote` rebuilds the read tables.'
          : '';
      logger.error({ error }, `${error.message}${remedy}`);
    },
  });
}

/**
 * Works like `projectLane`, but a permanent error in the lane does not end the process, because that would stop the
 * other lanes.
 */
export async function projectLaneAgain(options: LaneOptions): Promise<void> {
  const { logger, signal } = options;
  while (!signal.aborted) {
    await projectLane(options).catch((error: unknown) => {
      if (!signal.aborted) logger.error({ error }, `The lane is not being projected: ${messageOf(error)}`);
    });
    await delay(RESTART_MILLISECONDS, undefined, { signal }).catch(() => {});
  }
}
