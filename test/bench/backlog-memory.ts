/** The peak memory of the processes while they process a backlog in Kafka. */

import { setTimeout as delay } from 'node:timers/promises';
import { whileReading } from '../support/readers.ts';
import { describeBacklog, workThrough } from './support/backlog.ts';
import { type Broker, PARTITIONS, publish, startBroker } from './support/broker.ts';
import { drawPaths, ENDPOINTS } from './support/endpoint-paths.ts';
import { assertWhole, type KafkaMilepost, startKafkaMilepost } from './support/kafka-milepost.ts';
import { type BenchMilepost, startMilepost, stopChild } from './support/milepost.ts';
import { peakResidentBytes } from './support/processor-time.ts';
import { type ReadingApi, startReadingApi } from './support/reading-api.ts';
import { type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';
import { SMALL, tripRecords } from './support/trip-records.ts';
import { untilReadable } from './support/until-readable.ts';

const WHOLE = size(1_000_000, 20_000);
/** The published number is for a million trips (BENCH_TRIPS=1000000), which take longer than a benchmark may. */
const TRIPS = size(400_000, 2_000, 'TRIPS');
/** When this share of the trips is readable, the paths to request are chosen at random. */
const FIRST_SHARE = 0.02;
const REQUESTS = size(20, 2);
const SEED = 9;
const READER_REST_MILLISECONDS = 20;
const GOAL_MEBIBYTES = 512;

const NAMES = ['ingest', 'projector', 'api'] as const;
type Peaks = Record<(typeof NAMES)[number], number>;

function peaksOf(service: KafkaMilepost, api: ReadingApi): Peaks {
  const peak = (id: number | undefined) => (peakResidentBytes(id) ?? Number.NaN) / 2 ** 20;
  return { ingest: peak(service.ingest.pid), projector: peak(service.projector.pid), api: peak(api.process.pid) };
}

/**
 * Processes the backlog while a reader sends requests. Returns the peaks up to the moment when half of the backlog is
 * readable, and up to the moment when all of it is.
 */
async function measure(milepost: BenchMilepost, broker: Broker): Promise<{ half: Peaks; all: Peaks }> {
  const topics = await broker.makeTopics();
  await publish(broker, topics, tripRecords(SMALL, TRIPS));
  const service = await startKafkaMilepost(milepost, broker, topics);
  const api = await startReadingApi(milepost, service.url, service.pool);
  try {
    await untilReadable(service.readable, TRIPS * FIRST_SHARE);
    const drawn = await drawPaths(service.pool, { seed: SEED, requests: REQUESTS, days: SMALL.days });
    const paths = ENDPOINTS.flatMap((endpoint) => drawn[endpoint]);
    let turn = 0;
    const ask = async () => {
      turn += 1;
      const answer = await fetch(`${api.base}${paths[turn % paths.length]}`, { headers: api.headers });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`The API answers ${answer.status}.`);
      await delay(READER_REST_MILLISECONDS);
    };
    const { result } = await whileReading(1, ask, async () => {
      await untilReadable(service.readable, TRIPS / 2);
      const half = peaksOf(service, api);
      const rest = await workThrough(service, TRIPS);
      console.log(describeBacklog('the second half', rest));
      return { half, all: peaksOf(service, api) };
    });
    await assertWhole(service.pool, TRIPS);
    return result;
  } finally {
    await stopChild(api.process);
    await service.stop();
  }
}

/**
 * Measures the peak resident memory of Milepost's processes, from their start until they have processed a backlog of
 * small records in Kafka.
 */
await using milepost = await startMilepost();
await using broker = await startBroker();
const { half, all } = await measure(milepost, broker);
const measurements = NAMES.map((name): Measurement => {
  console.log(`${name}: ${half[name].toFixed(0)} MiB by half of the backlog, ${all[name].toFixed(0)} MiB by its end`);
  return {
    work: `${name}, peak resident memory, ${TRIPS.toLocaleString('en')} records`,
    unit: 'MiB',
    milepost: [all[name]],
    against: null,
    goal: { is: 'at most', value: GOAL_MEBIBYTES },
  };
});
const sizes = {
  records: TRIPS === WHOLE ? TRIPS : `${TRIPS} (full run: BENCH_TRIPS=${WHOLE})`,
  points: SMALL.points,
  drivers: SMALL.drivers,
  partitions: PARTITIONS,
  seed: SEED,
};
await report('backlog-memory', measurements, sizes, milepost.database);
