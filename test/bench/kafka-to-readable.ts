/** A backlog in Kafka until all of it is readable, against a naive service and Kafka Connect with a JDBC sink. About six minutes. */

import { Pool } from 'pg';
import { type JavaPeer, peerOrNone } from './peers/java-peer.ts';
import { type BacklogFigures, type Consumer, describeBacklog, workThrough } from './support/backlog.ts';
import { type Broker, PARTITIONS, publish, startBroker, type Topics } from './support/broker.ts';
import { prepareKafkaConnect, startKafkaConnect } from './support/kafka-connect.ts';
import { assertWhole, startKafkaMilepost } from './support/kafka-milepost.ts';
import { startKafkaNaive } from './support/kafka-naive.ts';
import { type BenchMilepost, startMilepost } from './support/milepost.ts';
import { type Measurement, report } from './support/results.ts';
import { SMALL, STANDARD, type TripSize, tripRecords } from './support/trip-records.ts';

/** Of the standard size; of the small one ten times as many. */
const TRIPS = Number(process.env['BENCH_TRIPS'] ?? 18_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
/** `standard` or `small`; both unless told. */
const ONLY = process.env['BENCH_ONLY'];
/** `off`: Milepost alone, for profiles. */
const PEERS = process.env['BENCH_PEER'] !== 'off';
const MILEPOST = 'Milepost';
const NAIVE = 'naive service';
const CONNECT = 'Kafka Connect with a JDBC sink';

const PARTS = [
  { size: STANDARD, trips: TRIPS, goal: 4 },
  { size: SMALL, trips: TRIPS * 10, goal: 1 },
].filter(({ size }) => ONLY === undefined || ONLY === size.name);

interface Setting {
  milepost: BenchMilepost;
  broker: Broker;
  topics: Topics;
  trips: number;
  /** Null when it cannot be had. */
  connect: JavaPeer | null;
}

async function milepostRound({ milepost, broker, topics, trips }: Setting): Promise<BacklogFigures> {
  const service = await startKafkaMilepost(milepost, broker, topics);
  try {
    const figures = await workThrough(service, trips);
    await assertWhole(service.pool, trips);
    return figures;
  } finally {
    await service.stop();
  }
}

async function peerRound(
  start: () => Promise<Consumer & { stop: () => Promise<void> }>,
  trips: number,
): Promise<BacklogFigures> {
  const service = await start();
  try {
    return await workThrough(service, trips);
  } finally {
    await service.stop();
  }
}

/** The services of a round, in their order, with what each does. */
function servicesOf(setting: Setting): Map<string, () => Promise<BacklogFigures>> {
  const { milepost, broker, topics, trips, connect } = setting;
  const services = new Map<string, () => Promise<BacklogFigures>>();
  if (PEERS) {
    services.set(NAIVE, async () => await peerRound(() => startKafkaNaive(milepost, broker, topics), trips));
    if (connect) {
      services.set(
        CONNECT,
        async () => await peerRound(() => startKafkaConnect(connect, milepost, broker, topics, trips), trips),
      );
    }
  }
  return services.set(MILEPOST, async () => await milepostRound(setting));
}

/** Rounds in turns over one backlog, each from nothing. */
async function measure(
  setting: Omit<Setting, 'topics'>,
  size: TripSize,
  goal: number,
): Promise<{ measurements: Measurement[]; bytesPerRecord: number }> {
  const topics = await setting.broker.makeTopics();
  const { bytesPerRecord } = await publish(setting.broker, topics, tripRecords(size, setting.trips));
  const services = servicesOf({ ...setting, topics });
  const figures = new Map([...services.keys()].map((name): [string, BacklogFigures[]] => [name, []]));
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const [name, work] of services) {
      const done = await work();
      console.log(describeBacklog(`${size.name}, round ${round}, ${name}`, done));
      figures.get(name)?.push(done);
    }
  }
  const compare = (against: string | null, figureOf: (figures: BacklogFigures) => number) => ({
    milepost: (figures.get(MILEPOST) ?? []).map(figureOf),
    against: against === null ? null : { name: against, figures: (figures.get(against) ?? []).map(figureOf) },
  });
  const peers = [...services.keys()].filter((name) => name !== MILEPOST);
  const measurements = (peers.length > 0 ? peers : [null]).flatMap((peer): Measurement[] => [
    {
      work: `${size.name} trips, Kafka to readable, steady`,
      unit: 'trips/s',
      ...compare(peer, ({ tripsPerSecond }) => tripsPerSecond),
      goal: peer === NAIVE ? { is: 'at least', value: goal } : null,
    },
    {
      work: `${size.name} trips, from the start of the processes until all are readable`,
      unit: 's',
      ...compare(peer, ({ secondsFromStart }) => secondsFromStart),
      goal: null,
    },
  ]);
  return { measurements, bytesPerRecord };
}

/**
 * A backlog in Kafka until all of it is readable: Milepost's `ingest` and `projector` into all read tables against a naive
 * service, and against Kafka Connect with Debezium's JDBC sink, into one table each; the same broker, PostgreSQL and
 * records, in turns. All rates run from the moment when a tenth of the trips was stored, so none pays for its start,
 * until all are readable.
 */
const milepost = await startMilepost();
let broker: Broker | null = null;
let connect: JavaPeer | null = null;
try {
  if (PEERS) connect = await peerOrNone(prepareKafkaConnect());
  broker = await startBroker();
  const measurements: Measurement[] = [];
  const sizes: Record<string, string | number> = { rounds: `${ROUNDS} in turns`, partitions: PARTITIONS };
  for (const { size, trips, goal } of PARTS) {
    const part = await measure({ milepost, broker, trips, connect }, size, goal);
    measurements.push(...part.measurements);
    sizes[`${size.name} trips`] =
      `${trips} of ${size.points} points, ${part.bytesPerRecord.toFixed(0)} bytes of JSON each`;
    sizes[`${size.name} trips, drivers and days`] = `${size.drivers} and ${size.days}`;
  }
  const database = new Pool({ connectionString: milepost.url, max: 1 });
  await report('kafka-to-readable', measurements, sizes, database);
  await database.end();
} finally {
  await broker?.stop();
  await milepost.stop();
  await connect?.remove();
}
