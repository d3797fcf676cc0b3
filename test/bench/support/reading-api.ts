import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { claimFile } from '@milepost/event-log/sources';
import { laneAt, type Pool, ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { prepareGenerations } from '@milepost/projections/engine';
import { standardTrip } from '@milepost/sample-fleet';
import { untilReady } from '../../support/faults/patience.ts';
import { copyEvents } from '../../support/filled-log.ts';
import { headersOf } from '../../support/http.ts';
import { append, incoming, openDirectory, openPartPool } from '../../support/pipeline.ts';
import { workerOf } from '../../support/replay.ts';
import { freePorts } from '../../support/services/free-port.ts';
import { createApiKey } from '../../support/world.ts';
import type { BenchMilepost } from './milepost.ts';

/** The fleet of `standardTrip`. */
export const FLEET = 'sunrise-delivery';

/** A limit on requests per minute that no benchmark reaches. */
const UNLIMITED = '1000000000';
const NO_LIMIT = { statementTimeoutMilliseconds: 0 };

/** How many trips are really appended. The others are copies with different ids, drivers and times. */
const ORIGINALS = 500;
const COPIES_AT_ONCE = 100;

interface LargeLog {
  trips: number;
  points: number;
  drivers: number;
  days: number;
}

/**
 * Returns the columns in which a copy differs from the original. In these expressions, `c` is the copy's number and `t`
 * is the original.
 */
function differing({ trips, drivers, days }: LargeLog, lastDay: number): Record<string, string> {
  const place = `((c - 1) * ${ORIGINALS} + t.position)`;
  const start = `(${lastDay - days * MILLISECONDS_PER_DAY} + (${place}::numeric * ${days * MILLISECONDS_PER_DAY} / ${trips})::bigint)`;
  const id = `concat('copy-', ${place})`;
  return {
    position: `${ORIGINALS} + ${place}`,
    source_offset: `${ORIGINALS} + ${place} - 1`,
    trip_id: `md5(${id})::uuid`,
    driver_id: `concat('driver-', abs(hashtext(${id})::bigint) % ${drivers})`,
    source_trip_id: id,
    tracking_id: id,
    trip_start_time: start,
    trip_end_time: `${start} + 900000`,
  };
}

/**
 * Fills an empty log with standard trips by many drivers, in order of time, up to yesterday. A million trips take one
 * minute; ingest would take ten. The first trips are real records, so the contents and sizes are realistic.
 */
async function fillLog(url: string, log: LargeLog): Promise<void> {
  const pool = openPartPool(laneAt(url), undefined, 2, NO_LIMIT);
  try {
    const endDate = new Date(Date.now() - MILLISECONDS_PER_DAY).toISOString().slice(0, 10);
    const options = { seed: 1, trips: ORIGINALS, points: log.points, drivers: 50, days: 30, endDate };
    const records = Array.from({ length: ORIGINALS }, (_, index) =>
      incoming(index, standardTrip(index, options).value),
    );
    await append(pool, await claimFile(pool, 'standard trips'), records, ORIGINALS);
    const changed = differing(log, Math.floor(Date.now() / MILLISECONDS_PER_DAY) * MILLISECONDS_PER_DAY);
    const copies = Math.ceil(log.trips / ORIGINALS) - 1;
    for (let first = 1; first <= copies; first += COPIES_AT_ONCE) {
      await copyEvents(pool, ORIGINALS, [first, Math.min(copies, first + COPIES_AT_ONCE - 1)], changed);
    }
    await pool.query('VACUUM ANALYZE');
  } finally {
    await pool.end();
  }
}

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
