import { locateDatabase } from '@milepost/embedded-postgres/locate';
import { createPool, ROLES, retryTransientErrors } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { ProjectionVersionError, prepareGenerations, runProjections, WakeUp } from '@milepost/projections/engine';
import { createLogger, messageOf } from '@milepost/service';
import { lowerPriority, PIPELINE_NICENESS } from '@milepost/service/priority';
import { readConfig } from './config.ts';
import { listenForAppends } from './listen.ts';

/** Positions applied in one transaction: enough to spread its cost, few enough to be visible soon. */
const BATCH_SIZE = 10_000;
const POLL_MILLISECONDS = 1_000;
const STATEMENT_TIMEOUT_MILLISECONDS = 300_000;

/**
 * The projector process: event log to live read tables, until the signal aborts.
 *
 * @throws SettingError, DatabaseNotFoundError
 */
export async function runProjector(signal: AbortSignal): Promise<void> {
  const config = readConfig();
  lowerPriority(PIPELINE_NICENESS);
  const logger = createLogger('projector', config.logLevel);
  const pool = createPool({
    url: await locateDatabase(config, 'projector'),
    role: ROLES.projector,
    applicationName: 'milepost-projector',
    connections: 3,
    statementTimeoutMilliseconds: STATEMENT_TIMEOUT_MILLISECONDS,
  });
  const onRetry = (error: unknown, delay_milliseconds: number) =>
    logger.warn({ reason: messageOf(error), delay_milliseconds }, 'batch not applied: trying again');
  const wakeUp = new WakeUp();
  const listening = listenForAppends(pool, wakeUp, signal);
  try {
    await retryTransientErrors(() => prepareGenerations(pool, PROJECTIONS), { signal, onRetry });
    logger.info({ projections: PROJECTIONS.map(({ name, version }) => `${name} v${version}`) }, 'projector started');
    await runProjections(pool, PROJECTIONS, {
      batchSize: BATCH_SIZE,
      pollMilliseconds: POLL_MILLISECONDS,
      signal,
      wakeUp,
      onRetry,
      onAdvance: ({ after, through }) => {
        if (through > after) logger.debug({ after, through }, 'batch applied');
      },
      onFailure(error) {
        const remedy = error instanceof ProjectionVersionError ? ' `milepost replay start all --promote` ends it.' : '';
        logger.error({ error }, `${error.message}${remedy}`);
      },
    });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await listening;
    await pool.end();
    logger.info('projector stopped');
  }
}
