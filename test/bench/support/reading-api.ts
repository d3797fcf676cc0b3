import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { generateApiKey, hashApiKey } from '@milepost/domain/api-key';
import { createPool, laneAt, type Pool, ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { prepareGenerations } from '@milepost/projections/engine';
import { workerOf } from '../../support/replay.ts';
import { freePorts } from '../../support/services/free-port.ts';
import type { BenchMilepost } from './milepost.ts';

/** The fleet of `standardTrip`. */
export const FLEET = 'sunrise-delivery';

/** A limit on requests per minute that no benchmark reaches. */
const UNLIMITED = '1000000000';
const MAX_START_MILLISECONDS = 60_000;

/** An API at `base` that accepts requests with `headers`. */
export interface ReadingApi {
  base: string;
  headers: Record<string, string>;
  process: ChildProcess;
}

/**
 * Builds read tables from the log with a replay, which is many times faster than a projector, and makes them live.
 *
 * @param projection projection names, separated by commas; the read tables of other projections stay empty
 */
export async function fillReadTables(url: string, database: Pool, projection = 'all'): Promise<void> {
  const pool = createPool({
    part: laneAt(url),
    role: ROLES.projector,
    applicationName: 'bench',
    connections: 8,
    statementTimeoutMilliseconds: 0,
  });
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

/** Resolves when a request to the URL succeeds. Throws after one minute. */
async function untilReady(url: string): Promise<void> {
  const end = performance.now() + MAX_START_MILLISECONDS;
  while (performance.now() < end) {
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await delay(50);
  }
  throw new Error(`${url} did not respond.`);
}

/**
 * Starts an API process on a database, with a key for the fleet. Its log is printed; with `pipe`, the caller reads it
 * instead.
 */
export async function startReadingApi(
  milepost: BenchMilepost,
  url: string,
  database: Pool,
  log: 'inherit' | 'pipe' = 'inherit',
): Promise<ReadingApi> {
  const key = generateApiKey();
  await database.query('INSERT INTO milepost_directory.api_key (api_key_id, fleet_id, key_hash) VALUES ($1, $2, $3)', [
    randomUUID(),
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
