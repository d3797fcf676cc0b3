/** What readers feel of ingest at full rate: the same load in bursts and evenly, against an idle server. About six minutes. */

import { Pool } from 'pg';
import { type Broker, PARTITIONS, publish, startBroker, type Topics } from './support/broker.ts';
import { drawPaths, ENDPOINTS } from './support/endpoint-paths.ts';
import { readEvenly } from './support/even-readers.ts';
import { ingestSettings, stopChild } from './support/kafka-milepost.ts';
import { fillLog } from './support/large-log.ts';
import { type BenchMilepost, startMilepost } from './support/milepost.ts';
import { fillReadTables, type ReadingApi, startReadingApi } from './support/reading-api.ts';
import { type Measurement, report } from './support/results.ts';
import { type Reading, readInBursts } from './support/steady-readers.ts';
import { SMALL, STANDARD, type TripSize, take, tripRecords } from './support/trip-records.ts';
import { readableTrips, untilReadable } from './support/until-readable.ts';

/** Standard trips that are there from the start. */
const TRIPS = Number(process.env['BENCH_TRIPS'] ?? 60_000);
const DRIVERS = 500;
const DAYS = 100;
const POINTS = 300;
const SEED = 7;
/** Different requests of each endpoint. */
const REQUESTS = 20;
const REQUESTS_PER_SECOND = 200;
/** For each way of asking. */
const SECONDS = 4;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const GOAL = 2;
/** So many records wait in Kafka at least when a round begins: enough for the first, uncounted one to find the rate. */
const LEAST_BACKLOG = { standard: 40_000, small: 160_000 };
/** More than a round reads at the highest rate seen: none may run dry. */
const RESERVE = 1.7;
/** `standard` or `small`; both unless told. */
const ONLY = process.env['BENCH_ONLY'];

interface Setting {
  milepost: BenchMilepost;
  broker: Broker;
  database: Pool;
  api: ReadingApi;
  paths: string[];
}

/** The same number of requests each second, dealt out over the second in two ways. */
const LOADS = [
  { name: 'in bursts', read: readInBursts },
  { name: 'evenly', read: readEvenly },
] as const;

/** What each of `LOADS` waited. */
type Readings = Reading[];

interface Round {
  idle: Readings;
  busy: Readings;
}

async function readAll({ api, paths }: Setting): Promise<Readings> {
  const readings: Readings = [];
  for (const { read } of LOADS) {
    readings.push(await read(api, paths, { requestsPerSecond: REQUESTS_PER_SECOND, seconds: SECONDS }));
  }
  return readings;
}

function describe(readings: Readings): string {
  return LOADS.map(({ name }, load) => {
    const { p50 = 0, p99 = 0 } = readings[load] ?? {};
    return `${name} p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  }).join(', ');
}

/** Reads while `ingest` works through a backlog, from its first trip on; afterwards ingest is gone and the projector idle. */
async function readUnderIngest(setting: Setting, topics: Topics): Promise<{ busy: Readings; tripsPerSecond: number }> {
  const { milepost, broker, database } = setting;
  const readable = async () => await readableTrips(database);
  const before = await readable();
  const ingest = milepost.start('ingest', ingestSettings(broker, topics));
  try {
    await untilReadable(readable, before + 1);
    const [first, start] = [await readable(), performance.now()];
    const busy = await readAll(setting);
    const last = await readable();
    return { busy, tripsPerSecond: (last - first) / ((performance.now() - start) / 1000) };
  } finally {
    await stopChild(ingest);
    const { rows } = await database.query<{ position: string }>('SELECT position FROM log.head');
    await untilReadable(readable, Number(rows[0]?.position));
  }
}

async function measure(setting: Setting, size: TripSize): Promise<Measurement[]> {
  const { broker, database } = setting;
  const topics = await broker.makeTopics();
  const records = tripRecords(size, Number.POSITIVE_INFINITY);
  const rounds: Round[] = [];
  let end = await readableTrips(database);
  let highestRate = 0;
  for (let round = 0; round <= ROUNDS; round += 1) {
    const backlog = Math.max(LEAST_BACKLOG[size.name], Math.ceil(highestRate * SECONDS * LOADS.length * RESERVE));
    const waiting = end - (await readableTrips(database));
    if (backlog > waiting) end += (await publish(broker, topics, take(records, backlog - waiting))).records;
    // What the round before left to be written is no part of an idle server.
    await database.query('CHECKPOINT');
    const idle = await readAll(setting);
    const { busy, tripsPerSecond } = await readUnderIngest(setting, topics);
    console.log(
      `${size.name}, ${round === 0 ? 'uncounted round' : `round ${round}`}: idle ${describe(idle)}; ` +
        `with ${tripsPerSecond.toFixed(0)} trips/s coming in ${describe(busy)}`,
    );
    highestRate = Math.max(highestRate, tripsPerSecond);
    if (round === 0) continue;
    if ((await readableTrips(database)) >= end)
      throw new Error(`${backlog} ${size.name} trips did not last for a round.`);
    rounds.push({ idle, busy });
  }
  return LOADS.map(({ name }, load) => ({
    work: `the five endpoints asked ${name} while ${size.name} trips come in`,
    unit: 'ms p99',
    milepost: rounds.map(({ busy }) => busy[load]?.p99 ?? Number.NaN),
    against: { name: 'idle', figures: rounds.map(({ idle }) => idle[load]?.p99 ?? Number.NaN) },
    goal: { is: 'at most', value: GOAL },
  }));
}

/**
 * What readers feel of ingest at full rate, a backlog in Kafka: the five endpoints, the same number of requests each second,
 * in bursts (ten consumers at the beginning of each second) and evenly (a request every 5 ms), against an idle server.
 */
const milepost = await startMilepost();
const database = new Pool({ connectionString: milepost.url, max: 1 });
let broker: Broker | null = null;
try {
  broker = await startBroker();
  await fillLog(milepost.url, { trips: TRIPS, points: POINTS, drivers: DRIVERS, days: DAYS });
  await fillReadTables(milepost.url, database);
  milepost.start('projector');
  const api = await startReadingApi(milepost, milepost.url, database);
  const drawn = await drawPaths(database, { seed: SEED, requests: REQUESTS, days: DAYS - 14 });
  const paths = Array.from({ length: REQUESTS }, (_, request) =>
    ENDPOINTS.flatMap((endpoint) => drawn[endpoint][request] ?? []),
  ).flat();
  const setting = { milepost, broker, database, api, paths };
  await readAll(setting);
  const measurements: Measurement[] = [];
  for (const size of [STANDARD, SMALL]) {
    if (ONLY === undefined || ONLY === size.name) measurements.push(...(await measure(setting, size)));
  }
  const sizes = {
    'standard trips before': TRIPS,
    drivers: DRIVERS,
    days: DAYS,
    partitions: PARTITIONS,
    'requests/s': REQUESTS_PER_SECOND,
    rounds: `${ROUNDS} of ${SECONDS} s each, in turns`,
    seed: SEED,
  };
  await report('readers-under-ingest', measurements, sizes, database);
} finally {
  await database.end();
  await broker?.stop();
  await milepost.stop();
}
