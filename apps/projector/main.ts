import { setTimeout as delay } from 'node:timers/promises';
import { serveMetrics } from '@milepost/metrics';
import { ProjectorMetrics } from '@milepost/metrics/projector';
import { checkAtStart, type Pool, ROLES, retryTransientErrors, ServerPools } from '@milepost/postgres';
import { locateDatabase } from '@milepost/postgres/embedded';
import type { Lane } from '@milepost/postgres/lanes';
import { withCurrentLanes } from '@milepost/postgres/lanes/watch';
import { PROJECTIONS } from '@milepost/projections';
import { ProjectionVersionError, prepareGenerations, runProjections, WakeUp } from '@milepost/projections/engine';
import { type Logger, messageOf } from '@milepost/service';
import { startDiagnostics } from '@milepost/service/diagnostics';
import { lowerPriority, PIPELINE_NICENESS } from '@milepost/service/priority';
import { readConfig } from './config.ts';
import { listenForAppends } from './listen.ts';

/**
 * With one lane, the projector polls at this interval. Several lanes take turns, so that one of them polls at each
 * interval.
 */
const POLL_MILLISECONDS = 1_000;
/** On each server, one connection listens, and two apply batches. More connections would need more processors. */
const CONNECTIONS = 3;
const STATEMENT_TIMEOUT_MILLISECONDS = 300_000;
/** A batch may have to wait for batches in other lanes. */
const WAIT_MILLISECONDS = 300_000;

/** The number of connections per server. Scrapes have their own connections, because they must not wait for batches. */
const SCRAPE_CONNECTIONS = 1;
/** Prometheus waits 10 s for a scrape. */
const SCRAPE_TIMEOUT_MILLISECONDS = 2_000;

const APPLICATION_NAME = 'milepost-projector';

/**
 * Runs the projector process, which applies each lane's event log to its live read tables until the signal aborts.
 *
 * @throws SettingError, DatabaseUnusableError, or Error if no database is found
 */
export async function runProjector(signal: AbortSignal): Promise<void> {
  const config = readConfig();
  lowerPriority(PIPELINE_NICENESS);
  const { logger, stopTracing } = await startDiagnostics('projector', config);
  const onRetry = (error: unknown) =>
    logger.warn({ reason: messageOf(error) }, 'the lanes could not be read; retrying');
  const source = { url: await locateDatabase(config, 'projector'), role: ROLES.projector };
  const metrics = new ProjectorMetrics();
  try {
    await using open = new AsyncDisposableStack();
    open.defer(stopTracing);
    open.defer(await serveMetrics(metrics.registry, config.metrics, logger));
    await withCurrentLanes(
      { ...source, applicationName: APPLICATION_NAME },
      { signal, onRetry },
      async (lanes, own) => {
        await using lags = new AsyncDisposableStack();
        if (config.metrics !== undefined) lags.defer(readLags(lanes, metrics));
        await projectLanes(lanes, { metrics, logger, signal: own });
      },
    );
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    logger.info('projector stopped');
  }
}

/** Opens the pools from which scrapes read the lags. Returns a function that closes them. */
function readLags(lanes: readonly Lane[], metrics: ProjectorMetrics): () => Promise<void> {
  const servers = new ServerPools({
    role: ROLES.projector,
    applicationName: APPLICATION_NAME,
    connections: SCRAPE_CONNECTIONS,
    statementTimeoutMilliseconds: SCRAPE_TIMEOUT_MILLISECONDS,
    silenceMilliseconds: SCRAPE_TIMEOUT_MILLISECONDS,
    acquireTimeoutMilliseconds: SCRAPE_TIMEOUT_MILLISECONDS,
  });
  const opened = lanes.map((lane) => ({ lane: lane.number, pool: servers.open(lane) }));
  metrics.readLanes(opened);
  return async () => void (await Promise.all(opened.map(({ pool }) => pool.end())));
}

type Projecting = Pick<LaneOptions, 'metrics' | 'logger' | 'signal'>;

async function projectLanes(lanes: readonly Lane[], { metrics, logger, signal }: Projecting): Promise<void> {
  const servers = new ServerPools({
    role: ROLES.projector,
    applicationName: APPLICATION_NAME,
    connections: CONNECTIONS,
    statementTimeoutMilliseconds: STATEMENT_TIMEOUT_MILLISECONDS,
    acquireTimeoutMilliseconds: WAIT_MILLISECONDS,
  });
  const ended = new AbortController();
  const ending = AbortSignal.any([signal, ended.signal]);
  const opened = lanes.map((lane) => ({ lane, pool: servers.open(lane), wakeUp: new WakeUp() }));
  metrics.measurePools(opened.map(({ pool }) => pool));
  const listened = listenForAppends(opened, (lane) => servers.open(lane), ending);
  const onRetry = (error: unknown, delay_milliseconds: number) =>
    logger.warn({ reason: messageOf(error), delay_milliseconds }, 'the database is not ready: retrying');
  const pollMilliseconds = POLL_MILLISECONDS * lanes.length;
  const isAlone = lanes.length === 1;
  const project = isAlone ? projectLane : projectLaneAgain;
  try {
    await Promise.all(
      opened.map(async ({ lane, pool, wakeUp }) => {
        // With several lanes, a fault in one lane must not end the process, because the other lanes continue.
        if (isAlone) await checkAtStart([pool], { signal, onRetry });
        const own = isAlone ? logger : logger.child({ lane: lane.number });
        await project({ pool, wakeUp, pollMilliseconds, metrics, logger: own, signal });
      }),
    );
  } finally {
    ended.abort();
    await listened;
    await Promise.all(opened.map(({ pool }) => pool.end()));
  }
}

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

/** Applies a lane's event log to its live read tables until the signal aborts. Exported for tests. */
export async function projectLane(options: LaneOptions): Promise<void> {
  const { pool, wakeUp, pollMilliseconds, metrics, logger, signal } = options;
  const onRetry = (error: unknown, delay_milliseconds: number) =>
    logger.warn({ reason: messageOf(error), delay_milliseconds }, 'A batch was not applied: retrying.');
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
      if (through > after) logger.debug({ after, through }, 'A batch was applied.');
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
 * other lanes. Exported for tests.
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
