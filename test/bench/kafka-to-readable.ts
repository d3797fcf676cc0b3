import { type JavaPeer, peerOrNone } from './peers/java-peer.ts';
import { type BacklogFigures, type Consumer, describeBacklog, workThrough } from './support/backlog.ts';
import { type Broker, PARTITIONS, publish, startBroker, type Topics } from './support/broker.ts';
import { prepareKafkaConnect, startKafkaConnect } from './support/kafka-connect.ts';
import { assertWhole, startKafkaMilepost } from './support/kafka-milepost.ts';
import { startKafkaNaive } from './support/kafka-naive.ts';
import { type BenchMilepost, startMilepost } from './support/milepost.ts';
import { type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';
import { CAN_BUS, PHONE, SMALL, STANDARD, type TripSize, tripRecords } from './support/trip-records.ts';

/**
 * How many standard trips there are. There are ten times as many small trips, and a third as many trips for each kind
 * of device track.
 */
const TRIPS = size(18_000, 500, 'TRIPS');
const ROUNDS = size(3, 1, 'ROUNDS');
/** The name of the only part to run. By default, all parts run. */
const ONLY = process.env['BENCH_ONLY'];
/** `off` runs Milepost without the peers, to record profiles. */
const PEERS = process.env['BENCH_PEER'] !== 'off';
const MILEPOST = 'Milepost';
const NAIVE = 'naive service';
const CONNECT = 'Kafka Connect with a JDBC sink';

const PARTS = [
  { size: STANDARD, trips: TRIPS, goal: 4 },
  { size: SMALL, trips: TRIPS * 10, goal: 1 },
  { size: PHONE, trips: Math.ceil(TRIPS / 3), goal: null },
  { size: CAN_BUS, trips: Math.ceil(TRIPS / 3), goal: null },
].filter(({ size }) => ONLY === undefined || ONLY === size.name);

interface Setting {
  milepost: BenchMilepost;
  broker: Broker;
  topics: Topics;
  trips: number;
  /** Null if Kafka Connect cannot be prepared. */
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

/** Returns the services of a round in order, each with the function that runs it. */
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

/** Runs the services alternately on one backlog. Each round starts with empty tables. */
async function measure(
  setting: Omit<Setting, 'topics'>,
  size: TripSize,
  goal: number | null,
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
      goal: peer === NAIVE && goal !== null ? { is: 'at least', value: goal } : null,
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
 * Measures how fast a backlog in Kafka becomes readable. Milepost's `ingest` and `projector` write all read tables,
 * whereas each of the two peers (a naive service, and Kafka Connect with Debezium's JDBC sink) writes one table. All of
 * them use the same broker, PostgreSQL and records, one after another. A measurement begins when a tenth of the trips
 * is stored and ends when all are readable, so it does not include the start.
 */
await using milepost = await startMilepost();
await using connect = PEERS ? await peerOrNone(prepareKafkaConnect()) : null;
await using broker = await startBroker();
const measurements: Measurement[] = [];
const sizes: Record<string, string | number> = { rounds: `${ROUNDS} alternating`, partitions: PARTITIONS };
for (const { size, trips, goal } of PARTS) {
  const part = await measure({ milepost, broker, trips, connect }, size, goal);
  measurements.push(...part.measurements);
  sizes[`${size.name} trips`] =
    `${trips} of ${size.points} points and ${part.bytesPerRecord.toFixed(0)} bytes of JSON each, from ${size.drivers} drivers on ${size.days} days`;
}
await report('kafka-to-readable', measurements, sizes, milepost.database);
