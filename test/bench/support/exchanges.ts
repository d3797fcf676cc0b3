import { setTimeout as delay } from 'node:timers/promises';
import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { type Part, type Pool, ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { dailySummaries, findTripsByTrackingId, listDrivers, listTrips } from '@milepost/projections/queries';
import { rollBack } from '@milepost/replay';
import { openPartPool } from '../../support/pipeline.ts';
import { whileReading } from '../../support/readers.ts';
import { workerOf } from '../../support/replay.ts';
import { FLEET } from './reading-api.ts';
import { size } from './sizes.ts';

const WARMING_MILLISECONDS = size(2_000, 100);
const REST_MILLISECONDS = size(10_000, 200);
/** Production's replay worker has the same number. */
const WORKER_CONNECTIONS = 8;

/** The trips that the readers request. */
interface ReadTrips {
  drivers: number;
  days: number;
}

/** The readers' latencies in milliseconds, with and without exchanges of all read tables. */
export interface ReadLatencies {
  atRest: number[];
  exchanging: number[];
}

/** Runs the endpoints' queries in turn, with the API's prepared statements, each time for another driver. */
function askInTurns(pool: Pool, { drivers, days }: ReadTrips): () => Promise<unknown> {
  let turn = 0;
  return async () => {
    turn += 1;
    const driverId = `driver-${turn % drivers}`;
    const page = { page: 1, limit: 50 };
    if (turn % 4 === 0) return await listDrivers(pool, FLEET, page);
    if (turn % 4 === 1) {
      const date = new Date(Date.now() - MILLISECONDS_PER_DAY * (1 + (turn % days))).toISOString().slice(0, 10);
      return await dailySummaries(pool, FLEET, [driverId], date);
    }
    if (turn % 4 === 2)
      return await findTripsByTrackingId(pool, `copy-${turn}`, { fleetId: FLEET, endedBy: Date.now(), ...page });
    return await listTrips(pool, { fleetId: FLEET, driverId, startsFrom: 0, endedBy: Date.now(), ...page });
  };
}

/**
 * Measures readers of a lane in a loop, both without exchanges and while all read tables are exchanged again and again.
 * The lane's log and read tables must be filled.
 */
export async function measureExchanges(
  part: Part,
  trips: ReadTrips,
  { readers, exchanges }: { readers: number; exchanges: number },
): Promise<ReadLatencies> {
  const [reading, operator, projector] = [
    openPartPool(part, ROLES.api, readers),
    openPartPool(part, ROLES.operator, 2),
    openPartPool(part, ROLES.projector, WORKER_CONNECTIONS),
  ];
  const worker = workerOf(projector, PROJECTIONS);
  const promoted = async (id: number): Promise<void> => {
    await worker.run(id);
    const { phase, error } = await worker.show(id);
    if (phase !== 'promoted') throw new Error(`Replay ${id} is ${phase}: ${error}`);
  };
  const exchange = async (): Promise<void> => {
    for (let exchanged = 0; exchanged < exchanges; exchanged += 1) {
      await promoted((await rollBack(operator, PROJECTIONS, { projection: 'all', requestedBy: 'bench' })).id);
    }
  };
  try {
    // This is the second generation of the read tables, with which the first one is exchanged.
    await promoted(await worker.start({ projection: 'all', promote: true, acceptDifferences: true }));
    const ask = askInTurns(reading, trips);
    await whileReading(readers, ask, async () => await delay(WARMING_MILLISECONDS));
    const atRest = await whileReading(readers, ask, async () => await delay(REST_MILLISECONDS));
    const exchanging = await whileReading(readers, ask, exchange);
    return { atRest: atRest.waits, exchanging: exchanging.waits };
  } finally {
    await Promise.all([reading.end(), operator.end(), projector.end()]);
  }
}
