/** The peak memory of the processes while they work through a Kafka backlog of small records. About two minutes. */

import { setTimeout as delay } from 'node:timers/promises';
import { whileReading } from '../support/readers.ts';
import { describeBacklog, workThrough } from './support/backlog.ts';
import { PARTITIONS, publish, startBroker } from './support/broker.ts';
import { drawPaths, ENDPOINTS } from './support/endpoint-paths.ts';
import { assertWhole, startKafkaMilepost } from './support/kafka-milepost.ts';
import { startMilepost } from './support/milepost.ts';
import { peakResidentBytes } from './support/processor-time.ts';
import { startReadingApi } from './support/reading-api.ts';
import { type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';
import { SMALL, tripRecords } from './support/trip-records.ts';
import { untilReadable } from './support/until-readable.ts';

/** The published figures are for `BENCH_TRIPS=1000000`, which takes longer than a benchmark may. */
const TRIPS = size(400_000, 2_000, 'TRIPS');
/** The paths to request are chosen at random once this share of the trips is readable. */
const FIRST_SHARE = 0.02;
const REQUESTS = size(20, 2);
const SEED = 9;
const READER_REST_MILLISECONDS = 20;
const GOAL_MEBIBYTES = 512;

await using milepost = await startMilepost();
await using broker = await startBroker();
const topics = await broker.makeTopics();
await publish(broker, topics, tripRecords(SMALL, TRIPS));
const service = await startKafkaMilepost(milepost, broker, topics);
await using ends = new AsyncDisposableStack();
ends.defer(service.stop);
const { base, headers, process: api } = await startReadingApi(milepost, service.url);
await untilReadable(service.readable, TRIPS * FIRST_SHARE);
const drawn = await drawPaths(service.pool, { seed: SEED, requests: REQUESTS, days: SMALL.days });
const paths = ENDPOINTS.flatMap((endpoint) => drawn[endpoint]);
let turn = 0;
const ask = async () => {
  turn += 1;
  const answer = await fetch(`${base}${paths[turn % paths.length]}`, { headers });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`The API responds with ${answer.status}.`);
  await delay(READER_REST_MILLISECONDS);
};
const processes = { ingest: service.ingest, projector: service.projector, api };
const { result: measurements } = await whileReading(1, ask, async () => {
  console.log(describeBacklog('the rest of the backlog', await workThrough(service, TRIPS)));
  return Object.entries(processes).map(
    ([name, { pid }]): Measurement => ({
      work: `${name}, peak resident memory, ${TRIPS.toLocaleString('en')} records`,
      unit: 'MiB',
      milepost: [(peakResidentBytes(pid) ?? Number.NaN) / 2 ** 20],
      goal: { is: 'at most', value: GOAL_MEBIBYTES },
    }),
  );
});
await assertWhole(service.pool, TRIPS);
const { points, drivers } = SMALL;
await report(
  'backlog-memory',
  measurements,
  { records: TRIPS, points, drivers, partitions: PARTITIONS, seed: SEED },
  service.pool,
);
