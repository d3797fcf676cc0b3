import { laneAt, type Pool, ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { prepareGenerations } from '@milepost/projections/engine';
import { untilReady } from '../../support/faults/patience.ts';
import { headersOf } from '../../support/http.ts';
import { openDirectory, openPartPool } from '../../support/pipeline.ts';
import { workerOf } from '../../support/replay.ts';
import { freePorts } from '../../support/services/free-port.ts';
import { createApiKey } from '../../support/world.ts';
import { fillLog, type LargeLog } from './large-log.ts';
import type { BenchMilepost } from './milepost.ts';

/** The fleet of `standardTrip`. */
export const FLEET = 'sunrise-delivery';

/** A limit on requests per minute that no benchmark reaches. */
const UNLIMITED = '1000000000';
const NO_LIMIT = { statementTimeoutMilliseconds: 0 };

/** An API at `base` that accepts requests with `headers`. */
export type ReadingApi = Awaited<ReturnType<typeof startReadingApi>>;

/**
 * Fills an empty database with a log, and builds the read tables with a replay, which is many times faster than a
 * projector.
 *
 * @param projection projection names, separated by commas; the read tables of other projections stay empty
 */
export async function fillDatabase(url: string, database: Pool, log: LargeLog, projection = 'all'): Promise<void> {
  await fillLog(url, log);
  const pool = openPartPool(laneAt(url), ROLES.projector, 8, NO_LIMIT);
  try {
    await prepareGenerations(pool, PROJECTIONS);
    // A replay goes no further than the live generations, so their checkpoints are first set to the head.
    await database.query('UPDATE generation SET checkpoint = (SELECT position FROM log_head) WHERE live');
    const { start, run, show } = workerOf(pool, PROJECTIONS);
    const id = await start({ projection, promote: true, acceptDifferences: true });
    await run(id);
    const { phase } = await show(id);
    if (phase !== 'promoted') throw new Error(`The replay that fills the read tables is ${phase}.`);
  } finally {
    await pool.end();
  }
  // The measurement begins with vacuumed tables, as in normal operation, and with all data flushed to disk.
  await database.query('VACUUM ANALYZE');
  await database.query('CHECKPOINT');
}

/**
 * Starts an API process on a database, with a key for the fleet. Its log is printed; with `pipe`, the caller reads it
 * instead.
 */
export async function startReadingApi(milepost: BenchMilepost, url: string, log: 'inherit' | 'pipe' = 'inherit') {
  const directory = openDirectory(url);
  const key = await createApiKey(directory, FLEET);
  await directory.end();
  const [port] = await freePorts(1);
  const settings = { DATABASE_URL: url, PORT: String(port), RATE_LIMIT_PER_MINUTE: UNLIMITED };
  const process = milepost.start('api', settings, log);
  const base = `http://127.0.0.1:${port}`;
  await untilReady(base);
  return { base, headers: headersOf(key), process };
}
