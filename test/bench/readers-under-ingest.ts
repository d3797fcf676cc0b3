/** Readers' latency during ingest at full rate, compared with an idle server. About six minutes. */

import { readHeadPosition } from '@milepost/event-log/head';
import type { Pool } from 'pg';
import { type Broker, PARTITIONS, publish, startBroker, type Topics } from './support/broker.ts';
import { drawPaths, ENDPOINTS } from './support/endpoint-paths.ts';
import { ingestSettings } from './support/kafka-milepost.ts';
import { type Reading, readEvenly, readInBursts } from './support/load.ts';
import { type BenchMilepost, startMilepost, stopChild } from './support/milepost.ts';
import { MAX_MEBIBYTES, peakMebibytes } from './support/processor-time.ts';
import { fillDatabase, type ReadingApi, startReadingApi } from './support/reading-api.ts';
import { atMost, type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';
import { SMALL, STANDARD, type TripSize, take, tripRecords } from './support/trip-records.ts';
import { readableTrips, untilReadable } from './support/until-readable.ts';

/** The standard trips that are stored before the first round. */
const LOG = { trips: size(60_000, 2_000, 'TRIPS'), points: 300, drivers: 500, days: 100 };
const SEED = 7;
/** How many different requests each endpoint receives. */
const REQUESTS = 20;
const REQUESTS_PER_SECOND = size(200, 20);
/** How long each of `LOADS` lasts. */
const SECONDS = size(4, 1);
const ROUNDS = size(3, 1, 'ROUNDS');
const GOAL = 2;
/**
 * The minimum number of records in Kafka when a round begins. This is enough for the first round, which only determines
 * the rate for the next backlog and is not counted.
 */
const MIN_BACKLOG: Readonly<Record<TripSize['name'], number>> = {
  standard: size(40_000, 5_000),
  small: size(160_000, 20_000),
};
/**
 * The backlog must last for the whole round. It therefore has enough records for this many rounds at the highest rate
 * of ingest so far.
 */
const RESERVE = 1.7;

interface Setting {
  milepost: BenchMilepost;
  broker: Broker;
  database: Pool;
  api: ReadingApi;
  paths: string[];
}

/**
 * Two ways to send the same number of requests a second: from ten consumers at the beginning of each second, or one
 * request every 5 ms.
 */
const LOADS = [
  { name: 'in bursts', read: readInBursts },
  { name: 'evenly', read: readEvenly },
] as const;

/** The latency under each of `LOADS`. */
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

/**
 * Reads while `ingest` works through a backlog, starting when the backlog's first trip is readable. When the function
 * returns, ingest has ended and the projector is idle.
 */
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
    await untilReadable(readable, await readHeadPosition(database));
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
    const backlog = Math.max(MIN_BACKLOG[size.name], Math.ceil(highestRate * SECONDS * LOADS.length * RESERVE));
    const waiting = end - (await readableTrips(database));
    if (backlog > waiting) end += (await publish(broker, topics, take(records, backlog - waiting))).records;
    // Unflushed data from the previous round must not add work to the idle server.
    await database.query('CHECKPOINT');
    const idle = await readAll(setting);
    const { busy, tripsPerSecond } = await readUnderIngest(setting, topics);
    console.log(
      `${size.name}, ${round === 0 ? 'uncounted round' : `round ${round}`}: idle ${describe(idle)}; ` +
        `with ${tripsPerSecond.toFixed(0)} trips/s arriving ${describe(busy)}`,
    );
    highestRate = Math.max(highestRate, tripsPerSecond);
    if (round === 0) continue;
    if ((await readableTrips(database)) >= end)
      throw new Error(`${backlog} ${size.name} trips are too few for a round.`);
    rounds.push({ idle, busy });
  }
  return LOADS.map(({ name }, load) => ({
    work: `requests to the five endpoints, ${name}, while ${size.name} trips arrive`,
    unit: 'ms p99',
    milepost: rounds.map(({ busy }) => busy[load]?.p99 ?? Number.NaN),
    against: { name: 'idle', figures: rounds.map(({ idle }) => idle[load]?.p99 ?? Number.NaN) },
    goal: atMost(GOAL),
  }));
}

await using milepost = await startMilepost();
const { database } = milepost;
await using broker = await startBroker();
await fillDatabase(milepost.url, database, LOG);
milepost.start('projector');
const api = await startReadingApi(milepost, milepost.url);
const drawn = await drawPaths(database, SEED, REQUESTS, LOG.days);
const paths = drawn.flatMap((request) => ENDPOINTS.map((endpoint) => request[endpoint]));
const setting = { milepost, broker, database, api, paths };
await readAll(setting);
const measurements: Measurement[] = [];
for (const size of [STANDARD, SMALL]) measurements.push(...(await measure(setting, size)));
const memory = [peakMebibytes(api.process.pid)];
const work = `peak memory of the API, ${REQUESTS_PER_SECOND} requests/s to the five endpoints`;
measurements.push({ work, unit: 'MiB', milepost: memory, goal: MAX_MEBIBYTES });
const sizes = {
  ...LOG,
  partitions: PARTITIONS,
  'requests/s': REQUESTS_PER_SECOND,
  rounds: `${ROUNDS} of ${SECONDS} s each, alternating`,
  seed: SEED,
};
await report(measurements, sizes, database);
