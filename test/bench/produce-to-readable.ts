/** The time from producing a trip until it is readable, at half the highest sustained rate. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { tripId } from '@milepost/domain/trip-id';
import type { SimulatedRecord } from '@milepost/sample-fleet';
import { Pool } from 'pg';
import { ON_LANE } from '../support/database.ts';
import { describeBacklog, workThrough } from './support/backlog.ts';
import { type Broker, PARTITIONS, publish, startBroker, type Topics } from './support/broker.ts';
import { percentile } from './support/figures.ts';
import { type KafkaMilepost, startKafkaMilepost } from './support/kafka-milepost.ts';
import { type BenchMilepost, startMilepost, stopChild } from './support/milepost.ts';
import { processorSeconds, processorSecondsSince } from './support/processor-time.ts';
import { FLEET, type ReadingApi, startReadingApi } from './support/reading-api.ts';
import { type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';
import { publishSteadily } from './support/steady-publisher.ts';
import { findSustainedRate } from './support/sustained-rate.ts';
import {
  makeContents,
  SMALL,
  STANDARD,
  sourceTripId,
  type TripSize,
  take,
  tripRecords,
} from './support/trip-records.ts';
import { observeApi, observeTables } from './support/visibility.ts';

/** How many standard trips a burst has. A burst of small trips has ten times as many. */
const TRIPS = size(6_000, 500, 'TRIPS');
const SECONDS = size(25, 2, 'SECONDS');
/** How long the warm-up takes, in which trips are sent at the same rate but not counted. */
const WARM_UP_SECONDS = size(5, 1);
const SHARE_OF_HIGHEST_RATE = 0.5;
/** How many trips per second are requested over HTTP. In addition, all trips are looked up in the read tables. */
const HTTP_SAMPLES_PER_SECOND = 5;
const GOAL_MILLISECONDS = 500;
/**
 * The rate in trips per second, with which two versions can be compared at the same rate. The default is half the
 * highest sustained rate.
 */
const RATE = process.env['BENCH_RATE'];
/** `standard` or `small`. The default is both. */
const ONLY = process.env['BENCH_ONLY'];

const PARTS = [
  { size: STANDARD, backlog: TRIPS },
  { size: SMALL, backlog: TRIPS * 10 },
].filter(({ size }) => ONLY === undefined || ONLY === size.name);

/**
 * Whether trip `index` belongs to the `share` of trips that is requested. This share is spread evenly over the drivers,
 * and so over the partitions.
 */
function isSampled(index: number, share: number): boolean {
  return (index * 0.6180339887498949) % 1 < share;
}

interface Running {
  broker: Broker;
  topics: Topics;
  service: KafkaMilepost;
  api: ReadingApi;
  /** Yields the records that are still to be published, after the first `published` ones. */
  records: Iterator<SimulatedRecord, void>;
  published: number;
  size: TripSize;
}

interface Waits {
  inTables: readonly number[];
  overHttp: readonly number[];
}

/** Publishes at a rate to a service without other load, and observes the trips in the tables and over HTTP. */
async function waitsAt(
  rate: number,
  { broker, topics, service, api, records, size, published }: Running,
): Promise<Waits> {
  const observing = new Pool({ connectionString: service.url, max: 1, ...ON_LANE });
  try {
    let index = published;
    const tables = observeTables(observing, () => index);
    const http = observeApi(api);
    const countsFrom = performance.now() + WARM_UP_SECONDS * 1000;
    const used = processorSeconds(service.processIds);
    const late = await publishSteadily(broker, topics, records, {
      tripsPerSecond: rate,
      seconds: WARM_UP_SECONDS + SECONDS,
      onDue: (_, dueAt) => {
        const id = tripId(FLEET, sourceTripId(size, index));
        if (dueAt >= countsFrom) tables.watch(id, dueAt);
        if (dueAt >= countsFrom && isSampled(index, HTTP_SAMPLES_PER_SECOND / rate)) http.watch(id, dueAt);
        index += 1;
      },
    });
    const [inTables, overHttp] = await Promise.all([tables.seen(), http.seen()]);
    const usedSince = Object.entries(processorSecondsSince(used, service.processIds)).map(
      ([owner, seconds]) => `${owner} ${seconds.toFixed(2)} s`,
    );
    const shown = (figures: readonly number[]) =>
      `${percentile(figures, 0.5).toFixed(1)} ms (p99 ${percentile(figures, 0.99).toFixed(1)} ms)`;
    console.log(
      `${size.name} trips at ${rate.toFixed(0)}/s: requests were sent ${shown(late)} late, ` +
        `the observer of the tables polled every ${shown(inTables.intervals)}, that of the API every ${shown(overHttp.intervals)}; ` +
        `processor time in ${WARM_UP_SECONDS + SECONDS} s: ${usedSince.join(', ')}`,
    );
    return { inTables: inTables.waits, overHttp: overHttp.waits };
  } finally {
    await observing.end();
  }
}

function toMeasurements(size: TripSize, { inTables, overHttp }: Waits): Measurement[] {
  const row = (work: string, waits: readonly number[], share: number): Measurement => ({
    work: `${size.name} trips at ${RATE === undefined ? 'half the highest sustained rate' : `${RATE} a second`}, ${work}, ${waits.length} trips`,
    unit: `ms p${share * 100}`,
    milepost: [percentile(waits, share)],
    against: null,
    goal: share === 0.99 ? { is: 'at most', value: GOAL_MILLISECONDS } : null,
  });
  return [
    row('produce to readable in the tables', inTables, 0.5),
    row('produce to readable in the tables', inTables, 0.99),
    row('produce to answer of the API', overHttp, 0.5),
    row('produce to answer of the API', overHttp, 0.99),
  ];
}

/** Returns the rate at which to measure, and how many trips have been published so far. */
async function findRate(
  burstRate: number,
  published: number,
  { service, broker, topics, records }: Pick<Running, 'service' | 'broker' | 'topics' | 'records'>,
): Promise<{ rate: number; published: number }> {
  if (RATE !== undefined) return { rate: Number(RATE), published };
  const sustained = await findSustainedRate(service, broker, topics, { records, burstRate, published });
  return { rate: sustained.tripsPerSecond * SHARE_OF_HIGHEST_RATE, published: sustained.published };
}

async function measure(
  milepost: BenchMilepost,
  broker: Broker,
  size: TripSize,
  backlog: number,
): Promise<{ measurements: Measurement[]; rate: number }> {
  const topics = await broker.makeTopics();
  const records = tripRecords(size, Number.POSITIVE_INFINITY, makeContents(size));
  const service = await startKafkaMilepost(milepost, broker, topics);
  let api: ReadingApi | null = null;
  try {
    // The burst is published while the service processes it, because in the later measurements, too, the publisher
    // shares the processors with the service.
    const [burst] = await Promise.all([workThrough(service, backlog), publish(broker, topics, take(records, backlog))]);
    console.log(describeBacklog(`${size.name} trips, a burst`, burst));
    const { rate, published } = await findRate(burst.tripsPerSecond, backlog, { service, broker, topics, records });
    api = await startReadingApi(milepost, service.url, service.pool);
    // This flushes the data of the run at the highest rate, including the broker's data, because flushing must not add
    // work to the run at half that rate.
    await service.pool.query('CHECKPOINT');
    await promisify(execFile)('sync');
    const waits = await waitsAt(rate, { broker, topics, service, api, records, size, published });
    return { measurements: toMeasurements(size, waits), rate };
  } finally {
    if (api) await stopChild(api.process);
    await service.stop();
  }
}

/**
 * Measures how soon a published trip is readable, at half the highest sustained rate. The time starts when the send is
 * due, and ends when an observer, which polls every few milliseconds, sees the trip. Nothing is subtracted for the
 * observer.
 */
await using milepost = await startMilepost();
await using broker = await startBroker();
const measurements: Measurement[] = [];
const sizes: Record<string, string | number> = { partitions: PARTITIONS, seconds: SECONDS };
for (const { size, backlog } of PARTS) {
  const part = await measure(milepost, broker, size, backlog);
  measurements.push(...part.measurements);
  sizes[`${size.name} trips/s sent`] = Math.round(part.rate);
}
await report('produce-to-readable', measurements, sizes, milepost.database);
