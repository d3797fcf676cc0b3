import type { ChildProcess } from 'node:child_process';
import { generateApiKey, hashApiKey } from '@milepost/domain/api-key';
import { createPool, type Pool, ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { prepareGenerations } from '@milepost/projections/engine';
import { workerOf } from '../../support/replay.ts';
import { freePorts } from '../../support/services/free-port.ts';
import type { BenchMilepost } from './milepost.ts';
import { untilReady } from './until-ready.ts';

/** The fleet of `standardTrip`. */
export const FLEET = 'sunrise-delivery';

/** Requests a minute that no benchmark reaches. */
const UNLIMITED = '1000000000';

/** An API that answers at `base`, to requests with `headers`. */
export interface ReadingApi {
  base: string;
  headers: Record<string, string>;
  process: ChildProcess;
}

/**
 * Builds read tables from the log and makes them live, by a replay: many times faster than a projector is.
 *
 * @param projection names separated by commas; read tables left out stay empty
 */
export async function fillReadTables(url: string, database: Pool, projection = 'all'): Promise<void> {
  const pool = createPool({
    url,
    role: ROLES.projector,
    applicationName: 'bench',
    connections: 8,
    statementTimeoutMilliseconds: 0,
  });
  try {
    await prepareGenerations(pool, PROJECTIONS);
    // A replay catches up with the live generations and never passes them, so these say that they are at the end.
    await database.query('UPDATE projection.generation SET checkpoint = (SELECT position FROM log.head) WHERE live');
    const { start, run, show } = workerOf(pool, PROJECTIONS);
    const id = await start({ projection, promote: true, acceptDifferences: true });
    await run(id);
    const { phase } = await show(id);
    if (phase !== 'promoted') throw new Error(`The replay that fills the read tables is ${phase}.`);
  } finally {
    await pool.end();
  }
  // What is measured begins with tables as they are after some time, not with what the fill left to be written.
  await database.query('VACUUM ANALYZE');
  await database.query('CHECKPOINT');
}

/** Starts an API process on a database, with a key of the fleet; its log is shown, or with `pipe` left to the caller. */
export async function startReadingApi(
  milepost: BenchMilepost,
  url: string,
  database: Pool,
  log: 'inherit' | 'pipe' = 'inherit',
): Promise<ReadingApi> {
  const key = generateApiKey();
  await database.query('INSERT INTO access.api_key (api_key_id, fleet_id, key_hash) VALUES ($1, $2, $3)', [
    'key_bench',
    FLEET,
    hashApiKey(key),
  ]);
  const [port] = await freePorts(1);
  const settings = { DATABASE_URL: url, PORT: String(port), RATE_LIMIT_PER_MINUTE: UNLIMITED };
  const process = milepost.start('api', settings, log);
  const base = `http://127.0.0.1:${port}`;
  await untilReady(`${base}/readyz`);
  return { base, headers: { authorization: `APIKEY ${key}`, 'content-type': 'application/json' }, process };
}
