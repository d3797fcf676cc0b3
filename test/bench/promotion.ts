import { setTimeout as delay } from 'node:timers/promises';
import { createPool, type Pool, ROLES } from '@milepost/postgres';
import { rollBack } from '@milepost/projection-engine/replay';
import { PROJECTIONS } from '@milepost/read-models/projections';
import { dailySummaries, findTripsByTrackingId, listDrivers, listTrips } from '@milepost/read-models/queries';
import { announceReplay } from '../../apps/ops/queue/index.ts';
import { whileReading } from '../support/readers.ts';
import { freePorts } from '../support/services/free-port.ts';
import { fillLog } from './support/large-log.ts';
import { startMilepost } from './support/milepost.ts';

const TRIPS = Number(process.env['BENCH_TRIPS'] ?? 50_000);
const DRIVERS = 500;
const DAYS = 60;
const READERS = 4;
const EXCHANGES = 100;
const SECONDS_AT_REST = 10;
const FLEET = 'sunrise-delivery';

/** The interface's questions in turn, by the API's own prepared statements, about another driver each time. */
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

function figures(waits: readonly number[]): string {
  const sorted = waits.toSorted((left, right) => left - right);
  const at = (share: number) => (sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN).toFixed(1).padStart(6);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, p99.9 ${at(0.999)} ms, longest ${at(1)} ms (${sorted.length} answers)`;
}

/** Readers in a loop while all read tables are exchanged again and again. Floor: the same readers with nothing going on. */
const milepost = await startMilepost();
const open = (role: (typeof ROLES)['api' | 'operator'], connections: number) =>
  createPool({ url: milepost.url, role, applicationName: 'bench', connections, statementTimeoutMilliseconds: 60_000 });
const [readers, operator] = [open(ROLES.api, READERS), open(ROLES.operator, 2)];
try {
  await milepost.run('migrate');
  await fillLog(milepost.url, { trips: TRIPS, points: 100, drivers: DRIVERS, days: DAYS });
  const owner = createPool({
    url: milepost.url,
    applicationName: 'bench',
    connections: 1,
    statementTimeoutMilliseconds: 0,
  });
  // The read tables are made by two replays instead of by the projector.
  await owner.query('UPDATE projection.generation SET checkpoint = (SELECT position FROM log.head) WHERE live');
  await owner.end();
  const [port] = await freePorts(1);
  milepost.start('ops', { OPS_PORT: String(port), OPS_TOKEN: 'bench', LOG_LEVEL: 'error' });
  for (const _ of ['empty to first', 'first to second']) {
    await milepost.run('replay', 'start', 'all', '--promote', '--accept-differences', '--throttle', 'off', '--wait');
  }

  const ended = async (id: number): Promise<void> => {
    for (;;) {
      const { rows } = await operator.query<{ phase: string }>(
        'SELECT phase FROM projection.replay WHERE replay_id = $1',
        [id],
      );
      if (rows[0]?.phase === 'promoted') return;
      await delay(5);
    }
  };
  const exchange = async (): Promise<void> => {
    for (let exchanged = 0; exchanged < EXCHANGES; exchanged += 1) {
      const { id } = await rollBack(operator, PROJECTIONS, { projection: 'all', requestedBy: 'bench' });
      await announceReplay({ databaseUrl: milepost.url, redisUrl: undefined }, id);
      await ended(id);
    }
  };

  const ask = askInTurns(readers);
  await whileReading(READERS, ask, async () => await delay(2_000));
  console.log(`${TRIPS} trips, ${READERS} readers in a loop; fsync on`);
  const atRest = await whileReading(READERS, ask, async () => await delay(SECONDS_AT_REST * 1_000));
  console.log(`at rest                ${figures(atRest.waits)}`);
  const exchanging = await whileReading(READERS, ask, exchange);
  console.log(`${EXCHANGES} exchanges of all   ${figures(exchanging.waits)}`);
} finally {
  await Promise.all([readers.end(), operator.end()]);
  await milepost.stop();
}
