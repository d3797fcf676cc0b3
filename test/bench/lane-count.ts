/** Memory and connections of the processes, and the catalogs, with 1, 16 and 64 lanes on one server. Less than ten minutes. */

import { setTimeout as delay } from 'node:timers/promises';
import { generateApiKey, hashApiKey } from '@milepost/domain/api-key';
import { Pool } from 'pg';
import { prepareDatabase } from '../../apps/cli/prepare-database.ts';
import { whileReading } from '../support/readers.ts';
import { freePorts } from '../support/services/free-port.ts';
import { type Broker, publish, startBroker } from './support/broker.ts';
import { ingestSettings } from './support/kafka-milepost.ts';
import { type BenchMilepost, startMilepost, stopChild } from './support/milepost.ts';
import { peakResidentBytes } from './support/processor-time.ts';
import { FLEET } from './support/reading-api.ts';
import { type Measurement, report } from './support/results.ts';
import { IS_SMOKE, size } from './support/sizes.ts';
import { SMALL, tripRecords } from './support/trip-records.ts';

const LANES = IS_SMOKE ? [1, 3] : [1, 16, 64];
const FLEETS = Math.max(...LANES);
const TRIPS = size(32_000, 192, 'TRIPS');
const READERS = 4;
const READER_REST_MILLISECONDS = 20;
const SAMPLE_MILLISECONDS = 200;
/** Ingest claims its partitions in all lanes before it stores the first trip, which takes long on a busy machine. */
const MAX_SECONDS = 900;
const UNLIMITED = '1000000000';
const GOAL_MEBIBYTES = 512;

const NAMES = ['api', 'ingest', 'projector', 'ops'] as const;
type Name = (typeof NAMES)[number];
/** What docs/operations.md states for one lane. */
const MAX_CONNECTIONS: Readonly<Record<Name, number>> = { api: 13, ingest: 5, projector: 5, ops: 53 };

interface Figures {
  mebibytes: Record<Name, number>;
  connections: Record<Name, number>;
  /** How many connections were opened while the trips became readable and were replayed. */
  opened: number;
  secondsToCreate: number;
  secondsToReadable: number;
  secondsToReplay: number;
  relations: number;
  catalogMebibytes: number;
  autovacuums: number;
}

const fleetName = (fleet: number) => `${FLEET}-${fleet}`;

/** Yields small trips, one from each fleet in turn. */
function* recordsOfFleets() {
  let index = 0;
  for (const { key, value, ...record } of tripRecords(SMALL, TRIPS)) {
    const fleet = fleetName(index % FLEETS);
    yield { ...record, key: key.replaceAll(FLEET, fleet), value: String(value).replaceAll(FLEET, fleet) };
    index += 1;
  }
}

async function number(database: Pool, sql: string): Promise<number> {
  const { rows } = await database.query<{ figure: string }>(sql);
  return Number(rows[0]?.figure);
}

/** Returns how many connections each process has. Those of `ops` include its worker and its queue. */
async function countConnections(database: Pool): Promise<Record<Name, number>> {
  const { rows } = await database.query<{ name: string; connections: number }>(
    `SELECT application_name AS name, count(*)::integer AS connections FROM pg_stat_activity
     WHERE application_name LIKE 'milepost-%' GROUP BY 1`,
  );
  const sum = (...names: string[]) =>
    rows.filter(({ name }) => names.includes(name)).reduce((total, { connections }) => total + connections, 0);
  return {
    api: sum('milepost-api'),
    ingest: sum('milepost-ingest'),
    projector: sum('milepost-projector'),
    ops: sum('milepost-ops', 'milepost-ops-worker', 'milepost-queue'),
  };
}

/** Returns how many connections each process has at most while `work` runs. */
async function whileCounting(database: Pool, work: () => Promise<void>): Promise<Record<Name, number>> {
  const greatest: Record<Name, number> = { api: 0, ingest: 0, projector: 0, ops: 0 };
  let isDone = false;
  const counting = (async () => {
    while (!isDone) {
      const counts = await countConnections(database);
      for (const name of NAMES) greatest[name] = Math.max(greatest[name], counts[name]);
      await delay(SAMPLE_MILLISECONDS);
    }
  })();
  await work().finally(() => (isDone = true));
  await counting;
  return greatest;
}

/** Adds a key for each fleet. */
async function addKeys(database: Pool): Promise<string[]> {
  const keys = Array.from({ length: FLEETS }, generateApiKey);
  for (const [fleet, key] of keys.entries()) {
    await database.query(
      'INSERT INTO milepost_directory.api_key (api_key_id, fleet_id, key_hash) VALUES (gen_random_uuid(), $1, $2)',
      [fleetName(fleet), hashApiKey(key)],
    );
  }
  return keys;
}

/** Returns how many trips the read tables of all lanes show in total. */
async function readableTrips(database: Pool, schemas: readonly string[]): Promise<number> {
  const counts = schemas.map((schema) => `SELECT count(*) AS trips FROM ${schema}.trips`);
  return await number(database, `SELECT sum(trips) AS figure FROM (${counts.join(' UNION ALL ')}) lanes`);
}

/** Stores, folds, reads, scrapes and replays the trips of 64 fleets in this number of lanes. */
async function measure(milepost: BenchMilepost, broker: Broker, count: number): Promise<Figures> {
  const database = new Pool({ connectionString: milepost.url, max: 2 });
  try {
    const [created, seconds] = [performance.now(), (since: number) => (performance.now() - since) / 1_000];
    await prepareDatabase(milepost.url, { lanes: count });
    const secondsToCreate = seconds(created);
    const { rows } = await database.query<{ schema: string }>('SELECT schema FROM milepost_directory.lane');
    const schemas = rows.map(({ schema }) => schema);
    const relations = await number(database, 'SELECT count(*) AS figure FROM pg_class');
    const catalogMebibytes = await number(
      database,
      `SELECT sum(pg_total_relation_size(oid)) / 2 ^ 20 AS figure FROM pg_class
       WHERE relnamespace = 'pg_catalog'::regnamespace AND relkind = 'r'`,
    );
    const keys = await addKeys(database);
    const topics = await broker.makeTopics();
    await publish(broker, topics, recordsOfFleets());
    const [port, opsPort] = await freePorts(2);
    const settings = {
      ...ingestSettings(broker, topics),
      PORT: String(port),
      OPS_PORT: String(opsPort),
      RATE_LIMIT_PER_MINUTE: UNLIMITED,
    };
    const children = NAMES.map((name) => {
      const metrics = name === 'projector' ? { METRICS_PORT: '0' } : {};
      return { name, child: milepost.start(name, { ...settings, ...metrics }) };
    });
    let turn = 0;
    const ask = async () => {
      turn += 1;
      const headers = { authorization: `APIKEY ${keys[turn % FLEETS]}`, 'content-type': 'application/json' };
      const drivers = fetch(`http://127.0.0.1:${port}/api/v1/drivers`, { headers });
      const metrics = turn % 50 === 0 ? fetch(`http://127.0.0.1:${opsPort}/metrics`) : null;
      // The processes may not be listening yet.
      await Promise.allSettled([drivers.then((answer) => answer.arrayBuffer()), metrics?.then((it) => it.text())]);
      await delay(READER_REST_MILLISECONDS);
    };
    const started = performance.now();
    let [secondsToReadable, secondsToReplay] = [0, 0];
    const work = async () => {
      while ((await readableTrips(database, schemas)) < TRIPS) {
        if (seconds(started) > MAX_SECONDS) throw new Error(`The trips are not readable after ${MAX_SECONDS} s.`);
        await delay(SAMPLE_MILLISECONDS);
      }
      secondsToReadable = seconds(started);
      const replaying = performance.now();
      await milepost.run('replay', 'start', 'all', '--promote', '--wait');
      secondsToReplay = seconds(replaying);
    };
    const connections = await whileCounting(database, async () => void (await whileReading(READERS, ask, work)));
    const peak = (wanted: Name) =>
      (peakResidentBytes(children.find(({ name }) => name === wanted)?.child.pid) ?? Number.NaN) / 2 ** 20;
    const mebibytes = { api: peak('api'), ingest: peak('ingest'), projector: peak('projector'), ops: peak('ops') };
    const opened = await number(
      database,
      'SELECT sessions AS figure FROM pg_stat_database WHERE datname = current_database()',
    );
    const autovacuums = await number(
      database,
      'SELECT sum(autovacuum_count + autoanalyze_count) AS figure FROM pg_stat_all_tables',
    );
    await Promise.all(children.map(({ child }) => stopChild(child)));
    return {
      mebibytes,
      connections,
      opened,
      secondsToCreate,
      secondsToReadable,
      secondsToReplay,
      relations,
      catalogMebibytes,
      autovacuums,
    };
  } finally {
    await database.end();
  }
}

/** Returns the rows of one measure, with a row for each number of lanes. One lane is the reference. */
function rowsOf(figures: ReadonlyMap<number, Figures>, work: string, unit: string, of: (each: Figures) => number) {
  const one = figures.get(1);
  return [...figures].map(([count, each]): Measurement => {
    const against = count === 1 || !one ? null : { name: 'one lane', figures: [of(one)] };
    return { work: `${work}, lanes: ${count}`, unit, milepost: [of(each)], against, goal: null };
  });
}

/** Returns a row per process for a measure that must not exceed a goal. */
function rowsOfProcesses(
  figures: ReadonlyMap<number, Figures>,
  work: string,
  unit: string,
  of: (each: Figures, name: Name) => { value: number; goal: number },
) {
  return NAMES.flatMap((name) =>
    [...figures].map(([count, each]): Measurement => {
      const { value, goal } = of(each, name);
      const row = { work: `${name}, ${work}, lanes: ${count}`, unit, milepost: [value], against: null };
      return { ...row, goal: { is: 'at most', value: goal } };
    }),
  );
}

await using broker = await startBroker();
const figures = new Map<number, Figures>();
for (const count of LANES) {
  await using milepost = await startMilepost();
  const measured = await measure(milepost, broker, count);
  console.log(count, JSON.stringify(measured));
  figures.set(count, measured);
  if (figures.size < LANES.length) continue;
  const measurements = [
    ...rowsOfProcesses(figures, 'peak resident memory', 'MiB', ({ mebibytes }, name) => {
      return { value: mebibytes[name], goal: GOAL_MEBIBYTES };
    }),
    ...rowsOfProcesses(figures, 'connections', '', ({ connections }, name) => {
      return { value: connections[name], goal: MAX_CONNECTIONS[name] };
    }),
    ...rowsOf(figures, 'connections that all processes have opened', '', ({ opened }) => opened),
    ...rowsOf(figures, 'create the lanes', 's', ({ secondsToCreate }) => secondsToCreate),
    ...rowsOf(figures, 'from the start of the processes until all trips are readable', 's', (each) => {
      return each.secondsToReadable;
    }),
    ...rowsOf(figures, 'replay of all read tables, verified and live', 's', (each) => each.secondsToReplay),
    ...rowsOf(figures, 'relations of the database', '', ({ relations }) => relations),
    ...rowsOf(figures, 'catalogs', 'MiB', ({ catalogMebibytes }) => catalogMebibytes),
    ...rowsOf(figures, 'runs of autovacuum', '', ({ autovacuums }) => autovacuums),
  ];
  const sizes = { trips: TRIPS, fleets: FLEETS, points: SMALL.points, readers: READERS };
  await report('lane-count', measurements, sizes, milepost.database);
}
