/**
 * How fast a Kafka backlog becomes readable, and how many bytes it takes in the database, compared with two peers.
 * Eight minutes.
 */

import { type BacklogFigures, type Consumer, describeBacklog, workThrough } from './support/backlog.ts';
import { type Broker, PARTITIONS, publish, startBroker } from './support/broker.ts';
import { inRounds } from './support/figures.ts';
import { type JavaPeer, peerOrNone } from './support/java-peer.ts';
import { prepareKafkaConnect, startKafkaConnect } from './support/kafka-connect.ts';
import { assertWhole, startKafkaMilepost } from './support/kafka-milepost.ts';
import { startKafkaNaive } from './support/kafka-naive.ts';
import { type BenchMilepost, startMilepost } from './support/milepost.ts';
import { type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';
import { SMALL, STANDARD, tripRecords } from './support/trip-records.ts';

/** The number of standard trips; there are ten times as many small trips. */
const TRIPS = size(18_000, 500, 'TRIPS');
const ROUNDS = size(3, 1, 'ROUNDS');

interface Part {
  size: typeof STANDARD;
  trips: number;
  /** The lowest accepted rate, as a multiple of the naive service's rate. */
  leastRatio: number;
  /** The maximum number of database bytes per byte of a trip's JSON. */
  mostBytes: number;
}

const PARTS: readonly Part[] = [
  { size: STANDARD, trips: TRIPS, leastRatio: 4, mostBytes: 0.15 },
  { size: SMALL, trips: TRIPS * 10, leastRatio: 1, mostBytes: 0.8 },
];

/** Works through the backlog with one service, which starts with empty tables. */
async function processBacklog<Service extends Consumer>(
  name: string,
  trips: number,
  start: () => Promise<Service>,
  check: (service: Service) => Promise<void> = async () => {},
): Promise<BacklogFigures> {
  const service = await start();
  try {
    const figures = await workThrough(service, trips);
    await check(service);
    console.log(describeBacklog(name, figures));
    return figures;
  } finally {
    await service.stop();
  }
}

async function measure(
  milepost: BenchMilepost,
  broker: Broker,
  connect: JavaPeer | null,
  { size, trips, leastRatio, mostBytes }: Part,
): Promise<Measurement[]> {
  const topics = await broker.makeTopics();
  const { bytesPerRecord } = await publish(broker, topics, tripRecords(size, trips));
  const work = `${size.name} trips, Kafka to readable, steady`;
  const bytes: number[] = [];
  const [rounds = [], naive = [], connected] = await inRounds(ROUNDS, [
    async () =>
      await processBacklog(
        `${work}, Milepost`,
        trips,
        async () => await startKafkaMilepost(milepost, broker, topics),
        async ({ pool }) => {
          await assertWhole(pool, trips);
          const { rows } = await pool.query<{ bytes: number }>(
            `SELECT sum(pg_total_relation_size(pg_class.oid))::float8 AS bytes FROM pg_class
             JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = current_schema() AND relkind = 'r'`,
          );
          bytes.push((rows[0]?.bytes ?? Number.NaN) / trips);
        },
      ),
    async () =>
      await processBacklog(
        `${work}, naive service`,
        trips,
        async () => await startKafkaNaive(milepost, broker, topics),
      ),
    ...(connect === null
      ? []
      : [
          async () =>
            await processBacklog(
              `${work}, Kafka Connect`,
              trips,
              async () => await startKafkaConnect(connect, milepost, broker, topics, trips),
            ),
        ]),
  ]);
  const rates = (figures: readonly BacklogFigures[]) => figures.map(({ tripsPerSecond }) => tripsPerSecond);
  const row = { work, unit: 'trips/s', milepost: rates(rounds) };
  return [
    {
      ...row,
      against: { name: 'naive service', figures: rates(naive) },
      goal: { is: 'at least', value: leastRatio },
    },
    ...(connected ? [{ ...row, against: { name: 'Kafka Connect with a JDBC sink', figures: rates(connected) } }] : []),
    {
      work: `database bytes per ${size.name} trip: log, read tables, indexes`,
      unit: 'bytes',
      milepost: bytes,
      against: { name: 'its JSON', figures: bytes.map(() => bytesPerRecord) },
      goal: { is: 'at most', value: mostBytes },
    },
  ];
}

await using milepost = await startMilepost();
await using connect = await peerOrNone(prepareKafkaConnect());
await using broker = await startBroker();
const measurements: Measurement[] = [];
for (const part of PARTS) measurements.push(...(await measure(milepost, broker, connect, part)));
const sizes = { rounds: ROUNDS, partitions: PARTITIONS, 'standard trips': TRIPS, 'small trips': TRIPS * 10 };
await report('kafka-to-readable', measurements, sizes, milepost.database);
