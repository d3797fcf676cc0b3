/** Append, fold and read with one, two and four lanes on one server, and with a lane of a Citus cluster. Three minutes. */

import { setTimeout as delay } from 'node:timers/promises';
import { append, claimSource, type IncomingRecord } from '@milepost/event-log';
import { type Pool, ROLES, ServerPools } from '@milepost/postgres';
import { LanePools, listLanes } from '@milepost/postgres/lanes';
import { listDrivers } from '@milepost/projections/queries';
import { prepareDatabase } from '../../apps/cli/prepare-database.ts';
import { groupByLane, type IngestLanes, openLanes, poolOf } from '../../apps/ingest/lanes.ts';
import { incoming, openDirectory, openPartPool, projectAll } from '../support/pipeline.ts';
import type { CitusCluster } from '../support/services/containers/citus.ts';
import { clusterOrNone, OWNED_LANE } from './support/cluster.ts';
import { makeDatabase, serverProcessId } from './support/databases.ts';
import { type BenchMilepost, startMilepost } from './support/milepost.ts';
import { processorSeconds, processorSecondsSince } from './support/processor-time.ts';
import { FLEET } from './support/reading-api.ts';
import { type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';
import { SMALL, tripRecords } from './support/trip-records.ts';

const LANES = [1, 2, 4];
const FLEETS = Math.max(...LANES);
const TRIPS = size(12_000, 800, 'TRIPS');
const ROUNDS = size(5, 1, 'ROUNDS');
/** The number of records per batch of ingest, and of positions per batch of the projector. */
const BATCH = 1_000;
const READERS = 16;
/** As in the API. */
const API_CONNECTIONS = 10;
const WARMING_MILLISECONDS = 500;
const READING_MILLISECONDS = size(2_000, 200);
const PROJECTOR_CONNECTIONS = 2;
const TOPIC = 'trips';

const fleetName = (fleet: number) => `${FLEET}-${fleet}`;

/** How long some work took, and how much processor time this process and PostgreSQL used for it. */
interface Spent {
  seconds: number;
  processorSeconds: number;
}

/** A database with lanes, the main processes of its servers, and the lane of each fleet. */
interface Place {
  url: string;
  servers: readonly number[];
  laneOf: (fleet: number) => number;
}

interface Figures {
  append: Spent;
  fold: Spent;
  read: Spent;
  /** The number of responses during `read`. */
  answers: number;
  microsecondsToFind: number;
}

/** Returns a fleet's records, parsed. Every lane reads them at the offsets of its own source. */
function recordsOf(fleet: number): IncomingRecord[] {
  const records = [...tripRecords(SMALL, TRIPS / FLEETS)];
  return records.map(({ value }, offset) => incoming(offset, String(value).replaceAll(FLEET, fleetName(fleet))));
}

async function spentBy(servers: readonly number[], work: () => Promise<unknown>): Promise<Spent> {
  const roots = { bench: process.pid, ...Object.fromEntries(servers.map((id) => [`server ${id}`, id])) };
  const [start, used] = [performance.now(), processorSeconds(roots)];
  await work();
  const seconds = (performance.now() - start) / 1_000;
  const since = Object.values(processorSecondsSince(used, roots));
  return { seconds, processorSeconds: since.reduce((sum, each) => sum + each, 0) };
}

/** Appends a lane's records in batches, as one partition does. */
async function appendAll(pool: Pool, records: readonly IncomingRecord[]): Promise<void> {
  let claim = await claimSource(pool, TOPIC, 0);
  for (let from = 0; from < records.length; from += BATCH) {
    const batch = records.slice(from, from + BATCH).map((record, index) => ({ ...record, offset: from + index }));
    claim = (await append(pool, claim, batch, from + batch.length)).claim;
  }
}

/** Returns how many microseconds per record ingest needs to find the lanes of a batch whose fleets it knows. */
async function timeFinding(lanes: IngestLanes, records: readonly IncomingRecord[]): Promise<number> {
  const times = 200;
  await groupByLane(lanes, records);
  const before = process.cpuUsage();
  for (let time = 0; time < times; time += 1) await groupByLane(lanes, records);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times / records.length;
}

/** Lists the drivers of all fleets at the same time, over the pools that share an API's connections. */
async function readAll({ url, servers, laneOf }: Place, directory: Pool): Promise<Pick<Figures, 'read' | 'answers'>> {
  const settings = {
    role: ROLES.api,
    applicationName: 'bench',
    connections: API_CONNECTIONS,
    statementTimeoutMilliseconds: 0,
  };
  const pools = new ServerPools(settings);
  const lanes = new LanePools(directory, url, (lane) => pools.open(lane));
  let answers = 0;
  const readers = (milliseconds: number) => {
    const end = performance.now() + milliseconds;
    return Array.from({ length: READERS }, async (_, reader) => {
      const fleet = reader % FLEETS;
      while (performance.now() < end) {
        await listDrivers(await lanes.find(laneOf(fleet)), fleetName(fleet), { page: 1, limit: 20 });
        answers += 1;
      }
    });
  };
  try {
    await Promise.all(readers(WARMING_MILLISECONDS));
    answers = 0;
    const read = await spentBy(servers, async () => await Promise.all(readers(READING_MILLISECONDS)));
    return { read, answers };
  } finally {
    await lanes.end();
  }
}

/** Stores, folds and reads the same trips of the same fleets in the lanes of a place. */
async function measureAt(place: Place, fleets: readonly IncomingRecord[][]): Promise<Figures> {
  const { url, servers, laneOf } = place;
  const directory = openDirectory(url);
  const opened = openLanes(url, 'bench');
  try {
    for (const fleet of fleets.keys())
      await directory.query('INSERT INTO fleet (fleet_id, lane) VALUES ($1, $2)', [fleetName(fleet), laneOf(fleet)]);
    const lanes = await opened.read();
    const listed = await listLanes(directory, url);
    const own = listed.map(({ number }) => fleets.filter((_, fleet) => laneOf(fleet) === number).flat());
    const appending = async () =>
      await Promise.all(own.map(async (records, lane) => await appendAll(poolOf(lanes, lane), records)));
    const appended = await spentBy(servers, appending);
    const mixed = Array.from({ length: BATCH }, (_, index) => fleets[index % FLEETS]?.[index] ?? []).flat();
    const microsecondsToFind = await timeFinding(lanes, mixed);
    const projectors = listed.map((lane) => openPartPool(lane, ROLES.projector, PROJECTOR_CONNECTIONS));
    const folding = async () =>
      await Promise.all(projectors.map(async (projector) => await projectAll({ projector }, undefined, () => BATCH)));
    const folded = await spentBy(servers, folding).finally(
      async () => await Promise.all(projectors.map(async (pool) => await pool.end())),
    );
    return { append: appended, fold: folded, ...(await readAll(place, directory)), microsecondsToFind };
  } finally {
    await Promise.all([directory.end(), opened.end()]);
  }
}

/** Measures a number of lanes on the benchmark's server. */
async function measure(
  milepost: BenchMilepost,
  fleets: readonly IncomingRecord[][],
  count: number,
  laneOf = (fleet: number) => fleet % count,
): Promise<Figures> {
  const { url, drop } = await makeDatabase(milepost, 'migrated');
  await prepareDatabase(url, { lanes: count });
  try {
    return await measureAt({ url, servers: [await serverProcessId(milepost)], laneOf }, fleets);
  } finally {
    // The server notices closed connections only after a while.
    await delay(100);
    await drop();
  }
}

/** Measures a lane on the worker that owns it, including the processor time of all nodes. */
async function measureOwner(cluster: CitusCluster, fleets: readonly IncomingRecord[][]): Promise<Figures> {
  const url = await cluster.createDatabase();
  await prepareDatabase(url, { lanes: OWNED_LANE + 1 });
  const servers = await Promise.all([cluster.coordinator, ...cluster.workers].map((node) => node.processId()));
  return await measureAt({ url, servers, laneOf: () => OWNED_LANE }, fleets);
}

await using milepost = await startMilepost();
await using cluster = await clusterOrNone();
const fleets = Array.from({ length: FLEETS }, (_, fleet) => recordsOf(fleet));
const rounds = new Map(LANES.map((count): [number, Figures[]] => [count, []]));
const [plain, owner]: [Figures[], Figures[]] = [[], []];
await measure(milepost, fleets, 1);
if (cluster !== null) await measureOwner(cluster, fleets);
for (let round = 0; round < ROUNDS; round += 1) {
  for (const count of LANES) rounds.get(count)?.push(await measure(milepost, fleets, count));
  if (cluster === null) continue;
  plain.push(await measure(milepost, fleets, OWNED_LANE + 1, () => OWNED_LANE));
  owner.push(await measureOwner(cluster, fleets));
}
const figures = (count: number, of: (each: Figures) => number) => (rounds.get(count) ?? []).map(of);
const works: [string, string, (each: Figures) => number][] = [
  ['parsed small trips appended, batches of 1,000', 'trips/s', ({ append: { seconds } }) => TRIPS / seconds],
  ['small trips folded into all read tables', 'trips/s', ({ fold: { seconds } }) => TRIPS / seconds],
  ['list of 20 drivers, 16 readers of four fleets', 'answers/s', ({ read, answers }) => answers / read.seconds],
  ['processor time of an append', 'µs', ({ append: { processorSeconds: used } }) => (used * 1e6) / TRIPS],
  ['processor time of a fold', 'µs', ({ fold: { processorSeconds: used } }) => (used * 1e6) / TRIPS],
  ['processor time of an answer', 'µs', ({ read, answers }) => (read.processorSeconds * 1e6) / answers],
];
const measurements = works.flatMap(([work, unit, of]) =>
  LANES.map((count): Measurement => {
    const against = count === 1 ? null : { name: 'one lane', figures: figures(1, of) };
    const isCost = unit === 'µs' && count > 1;
    const goal = isCost ? ({ is: 'at most', value: 1.2 } as const) : null;
    return { work: `${work}, lanes: ${count}`, unit, milepost: figures(count, of), against, goal };
  }),
);
measurements.push({
  work: 'finding the lane of a record, lanes: 1',
  unit: 'µs',
  milepost: figures(1, ({ microsecondsToFind }) => microsecondsToFind),
  against: {
    name: 'its append',
    figures: figures(1, ({ append: { processorSeconds: used } }) => (used * 1e6) / TRIPS),
  },
  goal: { is: 'at most', value: 0.03 },
});
if (cluster !== null) {
  const costs = works.filter(([, unit]) => unit === 'µs');
  measurements.push(
    ...costs.map(([work, unit, of]): Measurement => {
      const against = { name: 'one server', figures: plain.map(of) };
      const goal = { is: 'at most', value: 1.2 } as const;
      return { work: `${work}, on the owning node of a cluster`, unit, milepost: owner.map(of), against, goal };
    }),
  );
}
const database = openDirectory(milepost.url);
await report('lanes', measurements, { trips: TRIPS, fleets: FLEETS, points: SMALL.points, rounds: ROUNDS }, database);
await database.end();
