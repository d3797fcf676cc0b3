/** How fast a Kafka backlog becomes readable, with its bytes and memory, compared with two peers. Eight minutes. */

import { firstValue } from '../support/tables.ts';
import { type BacklogFigures, type Consumer, describeBacklog, workThrough } from './support/backlog.ts';
import { type Broker, PARTITIONS, publish, startBroker } from './support/broker.ts';
import { inRounds } from './support/figures.ts';
import { type JavaPeer, peerOrNone, prepareJavaPeer } from './support/java-peer.ts';
import { startKafkaConnect } from './support/kafka-connect.ts';
import { assertWhole, startKafkaMilepost } from './support/kafka-milepost.ts';
import { startKafkaNaive } from './support/kafka-naive.ts';
import { type BenchMilepost, startMilepost } from './support/milepost.ts';
import { MAX_MEBIBYTES, peakMebibytes } from './support/processor-time.ts';
import { atLeast, atMost, type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';
import { SMALL, STANDARD, tripRecords } from './support/trip-records.ts';

/** The number of standard trips; there are ten times as many small trips. A million of these need the most memory. */
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

/** A service, how to start it with empty tables, and what to check when the backlog has been processed. */
interface Contender {
  name: string;
  start: () => Promise<Consumer & { check?: () => Promise<void> }>;
}

async function processBacklog(work: string, trips: number, { name, start }: Contender): Promise<BacklogFigures> {
  const service = await start();
  try {
    const figures = await workThrough(service, trips);
    await service.check?.();
    console.log(describeBacklog(`${work}, ${name}`, figures));
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
  const peaks: Record<'ingest' | 'projector', number[]> = { ingest: [], projector: [] };
  const ours: Contender = {
    name: 'Milepost',
    start: async () => {
      const service = await startKafkaMilepost(milepost, broker, topics);
      const check = async () => {
        await assertWhole(service.pool, trips);
        for (const name of ['ingest', 'projector'] as const) peaks[name].push(peakMebibytes(service[name].pid));
        const databaseBytes = await firstValue(
          service.pool,
          `SELECT sum(pg_total_relation_size(pg_class.oid)) FROM pg_class
           JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = current_schema() AND relkind = 'r'`,
        );
        bytes.push(Number(databaseBytes) / trips);
      };
      return { ...service, check };
    },
  };
  const peers: Contender[] = [
    { name: 'naive service', start: async () => await startKafkaNaive(milepost, broker, topics) },
  ];
  const startConnect = async (peer: JavaPeer) => await startKafkaConnect(peer, milepost, broker, topics, trips);
  if (connect) peers.push({ name: 'Kafka Connect with a JDBC sink', start: async () => await startConnect(connect) });
  const contenders = [ours, ...peers].map((one) => async () => await processBacklog(work, trips, one));
  const [rounds = [], ...others] = await inRounds(ROUNDS, contenders);
  const rates = (figures: readonly BacklogFigures[]) => figures.map(({ tripsPerSecond }) => tripsPerSecond);
  return [
    ...peers.map(({ name }, index): Measurement => {
      const against = { name, figures: rates(others[index] ?? []) };
      const row = { work, unit: 'trips/s', milepost: rates(rounds), against };
      return index === 0 ? { ...row, goal: atLeast(leastRatio) } : row;
    }),
    {
      work: `database bytes per ${size.name} trip: log, read tables, indexes`,
      unit: 'bytes',
      milepost: bytes,
      against: { name: 'its JSON', figures: bytes.map(() => bytesPerRecord) },
      goal: atMost(mostBytes),
    },
    ...Object.entries(peaks).map(([name, mebibytes]) => ({
      work: `peak memory of ${name}, ${size.name} trips`,
      unit: 'MiB',
      milepost: [Math.max(...mebibytes)],
      goal: MAX_MEBIBYTES,
    })),
  ];
}

await using milepost = await startMilepost();
await using connect = await peerOrNone(prepareJavaPeer('Kafka Connect', 'connect'));
await using broker = await startBroker();
const measurements: Measurement[] = [];
for (const part of PARTS) measurements.push(...(await measure(milepost, broker, connect, part)));
const sizes = { rounds: ROUNDS, partitions: PARTITIONS, 'standard trips': TRIPS, 'small trips': TRIPS * 10 };
await report(measurements, sizes, milepost.database);
