/** The latency of readers while all read tables are exchanged, on one server and on a Citus cluster. Two minutes. */

import { append, claimSource } from '@milepost/event-log';
import { laneAt, ROLES } from '@milepost/postgres';
import { listLanes } from '@milepost/postgres/lanes';
import { prepareDatabase } from '../../apps/cli/prepare-database.ts';
import { incoming, openDirectory, openPartPool, projectAll } from '../support/pipeline.ts';
import { clusterOrNone, OWNED_LANE } from './support/cluster.ts';
import { measureExchanges, type ReadLatencies } from './support/exchanges.ts';
import { percentile } from './support/figures.ts';
import { fillLog } from './support/large-log.ts';
import { startMilepost } from './support/milepost.ts';
import { fillReadTables } from './support/reading-api.ts';
import { type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';
import { STANDARD, tripRecords } from './support/trip-records.ts';

const TRIPS = size(50_000, 1_000, 'TRIPS');
const LOG = { trips: TRIPS, points: 100, drivers: 500, days: 60 };
/** On the cluster, all trips go through ingest and the projections. */
const CLUSTER_TRIPS = Math.min(TRIPS, 2_000);
const READERS = 4;
const EXCHANGES = size(100, 2);
const CLUSTER_EXCHANGES = size(30, 2);
/** The highest latency that a reader may have while read tables are exchanged. */
const MAX_MILLISECONDS = 50;

/** Compares the readers' latency while read tables are exchanged with their latency at rest. */
function toMeasurements(place: string, { atRest, exchanging }: ReadLatencies): Measurement[] {
  const row = (name: string, share: number) => ({
    work: `answers${place} while all read tables are exchanged, ${name}`,
    unit: 'ms',
    milepost: [percentile(exchanging, share)],
    against: { name: 'at rest', figures: [percentile(atRest, share)] },
    goal: null,
  });
  console.log(`longest wait${place} at rest: ${percentile(atRest, 1).toFixed(1)} ms`);
  const longest = { ...row('longest', 1), goal: { is: 'at most' as const, value: MAX_MILLISECONDS } };
  return [row('p50', 0.5), row('p99', 0.99), row('p99.9', 0.999), { ...longest, against: null }];
}

/** Measures a lane on the worker that owns it. */
async function measureOwner(coordinator: string): Promise<ReadLatencies> {
  await prepareDatabase(coordinator, { lanes: OWNED_LANE + 1 });
  const directory = openDirectory(coordinator);
  const lane = (await listLanes(directory, coordinator))[OWNED_LANE];
  await directory.end();
  if (!lane) throw new Error(`The cluster has no lane ${OWNED_LANE}.`);
  const [ingest, projector] = [openPartPool(lane, ROLES.ingest), openPartPool(lane, ROLES.projector)];
  const records = [...tripRecords(STANDARD, CLUSTER_TRIPS)].map(({ value }, offset) => incoming(offset, String(value)));
  await append(ingest, await claimSource(ingest, 'trips', 0), records, records.length);
  await projectAll({ projector });
  await Promise.all([ingest.end(), projector.end()]);
  return await measureExchanges(lane, STANDARD, { readers: READERS, exchanges: CLUSTER_EXCHANGES });
}

await using milepost = await startMilepost();
await using cluster = await clusterOrNone();
const { database: owner } = milepost;
await fillLog(milepost.url, LOG);
await fillReadTables(milepost.url, owner);
const options = { readers: READERS, exchanges: EXCHANGES };
const alone = await measureExchanges(laneAt(milepost.url), LOG, options);
const measurements = toMeasurements('', alone);
const answers = { 'answers at rest': alone.atRest.length, 'answers during exchanges': alone.exchanging.length };
const clustered = cluster === null ? null : await measureOwner(await cluster.createDatabase());
if (clustered !== null) measurements.push(...toMeasurements(' from the owning node of a cluster', clustered));
await report('promotion', measurements, { ...LOG, ...options, ...answers }, owner);
