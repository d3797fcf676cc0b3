/** Readers' latency while all read tables are exchanged, compared with their latency at rest. About two minutes. */

import { setTimeout as delay } from 'node:timers/promises';
import { addDays, dateOf } from '@milepost/domain/calendar';
import { type Pool, ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { dailySummaries, findTripsByTrackingId, listDrivers, listTrips } from '@milepost/projections/queries';
import { rollBack } from '@milepost/replay';
import { openPool } from '../support/pipeline.ts';
import { whileReading } from '../support/readers.ts';
import { workerOf } from '../support/replay.ts';
import { percentile } from './support/figures.ts';
import { startMilepost } from './support/milepost.ts';
import { FLEET, fillDatabase } from './support/reading-api.ts';
import { atMost, report } from './support/results.ts';
import { size } from './support/sizes.ts';

const LOG = { trips: size(50_000, 1_000, 'TRIPS'), points: 100, drivers: 500, days: 60 };
const READERS = 4;
const EXCHANGES = size(100, 2);
const WARMING_MILLISECONDS = size(2_000, 100);
const REST_MILLISECONDS = size(10_000, 200);
/** In production, the replay worker uses the same number of connections. */
const WORKER_CONNECTIONS = 8;
/** The highest latency that a reader may see while read tables are exchanged. */
const MAX_MILLISECONDS = 50;

/** Runs the endpoints' queries in turn, with the API's prepared statements, each time for a different driver. */
function askInTurns(pool: Pool): () => Promise<unknown> {
  let turn = 0;
  return async () => {
    turn += 1;
    const driverId = `driver-${turn % LOG.drivers}`;
    const page = { page: 1, limit: 50 };
    const listed = { fleetId: FLEET, endedBy: Date.now(), ...page };
    const day = addDays(dateOf(Date.now()), -1 - (turn % LOG.days));
    if (turn % 4 === 0) return await listDrivers(pool, FLEET, page);
    if (turn % 4 === 1) return await dailySummaries(pool, FLEET, [driverId], day);
    if (turn % 4 === 2) return await findTripsByTrackingId(pool, `copy-${turn}`, listed);
    return await listTrips(pool, { ...listed, driverId, startsFrom: 0 });
  };
}

await using milepost = await startMilepost();
await fillDatabase(milepost.url, milepost.database, LOG);
const [reading, operator, projector] = [
  openPool(milepost.url, ROLES.api, READERS),
  openPool(milepost.url, ROLES.operator, 2),
  openPool(milepost.url, ROLES.projector, WORKER_CONNECTIONS),
];
await using pools = new AsyncDisposableStack();
for (const pool of [reading, operator, projector]) pools.defer(async () => await pool.end());
const worker = workerOf(projector, PROJECTIONS);
async function promote(id: number): Promise<void> {
  await worker.run(id);
  const { phase, error } = await worker.show(id);
  if (phase !== 'promoted') throw new Error(`Replay ${id} is ${phase}: ${error}`);
}

// This creates a second generation of the read tables, which is then exchanged with the first.
await promote(await worker.start({ projection: 'all', promote: true, acceptDifferences: true }));
const ask = askInTurns(reading);
await whileReading(READERS, ask, async () => await delay(WARMING_MILLISECONDS));
const atRest = await whileReading(READERS, ask, async () => await delay(REST_MILLISECONDS));
const exchanging = await whileReading(READERS, ask, async () => {
  for (let exchange = 0; exchange < EXCHANGES; exchange += 1) {
    await promote((await rollBack(operator, PROJECTIONS, { projection: 'all', requestedBy: 'bench' })).id);
  }
});
const row = (name: string, share: number) => ({
  work: `responses while all read tables are exchanged, ${name}`,
  unit: 'ms',
  milepost: [percentile(exchanging.waits, share)],
  against: { name: 'at rest', figures: [percentile(atRest.waits, share)] },
});
const longest = { ...row('longest', 1), against: null, goal: atMost(MAX_MILLISECONDS) };
await report(
  [row('p50', 0.5), row('p99', 0.99), longest],
  { ...LOG, readers: READERS, exchanges: EXCHANGES, 'longest at rest, ms': percentile(atRest.waits, 1) },
  milepost.database,
);
