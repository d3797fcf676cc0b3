/** The latency of readers while all read tables are exchanged a hundred times. About a minute. */

import { setTimeout as delay } from 'node:timers/promises';
import { createPool, laneAt, type Pool, ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { dailySummaries, findTripsByTrackingId, listDrivers, listTrips } from '@milepost/projections/queries';
import { rollBack } from '@milepost/replay';
import { Pool as OwnerPool } from 'pg';
import { openEnqueuer } from '../../apps/ops/queue/index.ts';
import { ON_LANE } from '../support/database.ts';
import { whileReading } from '../support/readers.ts';
import { freePorts } from '../support/services/free-port.ts';
import { percentile } from './support/figures.ts';
import { fillLog } from './support/large-log.ts';
import { startMilepost } from './support/milepost.ts';
import { fillReadTables } from './support/reading-api.ts';
import { type Measurement, report } from './support/results.ts';

const TRIPS = Number(process.env['BENCH_TRIPS'] ?? 50_000);
const DRIVERS = 500;
const DAYS = 60;
const POINTS = 100;
const READERS = 4;
const EXCHANGES = 100;
const SECONDS_AT_REST = 10;
/** The maximum latency of a reader while read tables are exchanged. */
const MAX_MILLISECONDS = 50;
const FLEET = 'sunrise-delivery';

/** Runs the queries of the endpoints in turn, with the API's prepared statements, each time for another driver. */
function askInTurns(pool: Pool): () => Promise<unknown> {
  let turn = 0;
  return async () => {
    turn += 1;
    const driverId = `driver-${turn % DRIVERS}`;
    const page = { page: 1, limit: 50 };
    if (turn % 4 === 0) return await listDrivers(pool, FLEET, page);
    if (turn % 4 === 1) {
      const date = new Date(Date.now() - 86_400_000 * (1 + (turn % DAYS))).toISOString().slice(0, 10);
      return await dailySummaries(pool, FLEET, [driverId], date);
    }
    if (turn % 4 === 2)
      return await findTripsByTrackingId(pool, `copy-${turn}`, { fleetId: FLEET, endedBy: Date.now(), ...page });
    return await listTrips(pool, { fleetId: FLEET, driverId, startsFrom: 0, endedBy: Date.now(), ...page });
  };
}

/** Compares the latency of readers while read tables are exchanged with their latency at rest. */
function toMeasurements(exchanging: readonly number[], atRest: readonly number[]): Measurement[] {
  const row = (name: string, share: number) => ({
    work: `answers while all read tables are exchanged, ${name}`,
    unit: 'ms',
    milepost: [percentile(exchanging, share)],
    against: { name: 'at rest', figures: [percentile(atRest, share)] },
    goal: null,
  });
  const longest = {
    ...row('longest', 1),
    against: null,
    goal: { is: 'at most' as const, value: MAX_MILLISECONDS },
  };
  return [row('p50', 0.5), row('p99', 0.99), row('p99.9', 0.999), longest];
}

/**
 * Measures readers in a loop while all read tables are exchanged repeatedly. The reference is the same readers without
 * exchanges.
 */
const milepost = await startMilepost();
const open = (role: (typeof ROLES)['api' | 'operator'], connections: number) =>
  createPool({
    part: laneAt(milepost.url),
    role,
    applicationName: 'bench',
    connections,
    statementTimeoutMilliseconds: 60_000,
  });
const [readers, operator] = [open(ROLES.api, READERS), open(ROLES.operator, 2)];
const owner = new OwnerPool({ connectionString: milepost.url, max: 1, ...ON_LANE });
try {
  await fillLog(milepost.url, { trips: TRIPS, points: POINTS, drivers: DRIVERS, days: DAYS });
  await fillReadTables(milepost.url, owner);
  const [port] = await freePorts(1);
  milepost.start('ops', { OPS_PORT: String(port), OPS_TOKEN: 'bench', LOG_LEVEL: 'error' });
  // The second generation of the read tables, to be exchanged with the first.
  await milepost.run('replay', 'start', 'all', '--promote', '--accept-differences', '--throttle', 'off', '--wait');

  const ended = async (id: number): Promise<void> => {
    for (;;) {
      const { rows } = await operator.query<{ phase: string }>('SELECT phase FROM replay WHERE replay_id = $1', [id]);
      if (rows[0]?.phase === 'promoted') return;
      await delay(5);
    }
  };
  const jobs = openEnqueuer({ databaseUrl: milepost.url, redisUrl: undefined });
  const exchange = async (): Promise<void> => {
    for (let exchanged = 0; exchanged < EXCHANGES; exchanged += 1) {
      const { id } = await rollBack(operator, PROJECTIONS, { projection: 'all', requestedBy: 'bench' });
      await jobs.enqueue({ kind: 'replay', id });
      await ended(id);
    }
  };

  const ask = askInTurns(readers);
  await whileReading(READERS, ask, async () => await delay(2_000));
  const atRest = await whileReading(READERS, ask, async () => await delay(SECONDS_AT_REST * 1_000));
  const exchanging = await whileReading(READERS, ask, exchange);
  await jobs.close();
  console.log(`longest wait at rest: ${percentile(atRest.waits, 1).toFixed(1)} ms`);
  const answers = { 'answers at rest': atRest.waits.length, 'answers during exchanges': exchanging.waits.length };
  await report(
    'promotion',
    toMeasurements(exchanging.waits, atRest.waits),
    { trips: TRIPS, points: POINTS, drivers: DRIVERS, days: DAYS, readers: READERS, exchanges: EXCHANGES, ...answers },
    owner,
  );
} finally {
  await Promise.all([readers.end(), operator.end(), owner.end()]);
  await milepost.stop();
}
