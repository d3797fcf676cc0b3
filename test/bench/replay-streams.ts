/** Replay of both rollups against Kafka Streams, which rebuilds its state stores. About three minutes. */
import type { Pool } from 'pg';
import { type JavaPeer, peerOrNone } from './peers/java-peer.ts';
import { type Broker, PARTITIONS, publish, startBroker, type Topics } from './support/broker.ts';
import { ingestSettings } from './support/kafka-milepost.ts';
import { prepareKafkaStreams, rebuildFromTopic, type StreamsRebuild } from './support/kafka-streams.ts';
import { type BenchMilepost, startMilepost, stopChild } from './support/milepost.ts';
import { type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';
import { timeReplay } from './support/time-replay.ts';
import { SMALL, STANDARD, type TripSize, tripRecords } from './support/trip-records.ts';
import { readableTrips, untilReadable } from './support/until-readable.ts';

/** How many small trips there are. There are a quarter as many standard trips. */
const TRIPS = size(200_000, 1_000, 'TRIPS');
const ROUNDS = size(3, 1, 'ROUNDS');
const PROJECTIONS = 'daily_rollups,weekly_rollups';
const PEER = 'Kafka Streams';
/** The highest relative difference between two sums that add the same doubles in different orders. */
const TOLERANCE = 1e-9;

const PARTS = [
  { size: STANDARD, trips: TRIPS / 4 },
  { size: SMALL, trips: TRIPS },
];

/** Reads a topic into the log and the read tables, as in production. */
async function ingestAll(
  milepost: BenchMilepost,
  database: Pool,
  { broker, topics, trips }: { broker: Broker; topics: Topics; trips: number },
): Promise<void> {
  const processes = [milepost.start('ingest', ingestSettings(broker, topics)), milepost.start('projector')];
  await untilReadable(async () => await readableTrips(database), trips);
  for (const process of processes) await stopChild(process);
  await database.query('VACUUM ANALYZE');
  await database.query('CHECKPOINT');
}

/** Throws unless the peer has as many days and weeks as Milepost, and the same sums of trips and miles. */
async function assertSame(database: Pool, rebuilt: StreamsRebuild): Promise<void> {
  const { rows } = await database.query<{ days: number; weeks: number; trips: number; miles: number }>(
    `SELECT count(*)::integer AS days, count(DISTINCT (fleet_id, driver_id, date_trunc('week', date)))::integer AS weeks,
       sum((summary::jsonb->>'trip_count')::integer)::integer AS trips,
       sum((summary::jsonb->>'distance_miles')::numeric)::float8 AS miles
     FROM daily_rollups`,
  );
  const { days = 0, weeks = 0, trips = 0, miles = 0 } = rows[0] ?? {};
  const isSame = days === rebuilt.days && weeks === rebuilt.weeks && trips === rebuilt.trips;
  if (!isSame || Math.abs(rebuilt.miles - miles) > miles * TOLERANCE) {
    throw new Error(`${PEER} has ${JSON.stringify(rebuilt)}, Milepost ${JSON.stringify(rows[0])}.`);
  }
}

async function measure(
  broker: Broker,
  peer: JavaPeer | null,
  { size, trips }: { size: TripSize; trips: number },
): Promise<Measurement> {
  await using milepost = await startMilepost();
  const { database } = milepost;
  const topics = await broker.makeTopics();
  await publish(broker, topics, tripRecords(size, trips));
  await ingestAll(milepost, database, { broker, topics, trips });
  await milepost.startOps();
  const ours: number[] = [];
  const peers: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    if (peer) {
      const rebuilt = await rebuildFromTopic(peer, broker, topics.trips, trips);
      await assertSame(database, rebuilt);
      peers.push(trips / rebuilt.seconds);
    }
    ours.push(trips / (await timeReplay(milepost, database, PROJECTIONS)).filled);
    const shown = [...ours.slice(-1), ...peers.slice(-1)].map((rate) => rate.toFixed(0));
    console.log(
      `${size.name}, round ${round}, trips/s of Milepost${peer ? ` and ${PEER}` : ''}: ${shown.join(' and ')}`,
    );
  }
  return {
    work: `replay of both rollups, ${size.name} trips`,
    unit: 'trips/s',
    milepost: ours,
    against: peer ? { name: PEER, figures: peers } : null,
    goal: null,
  };
}

/**
 * Measures how fast the days and weeks of drivers are rebuilt. Compares Kafka Streams with Milepost's replay of both
 * rollups, which is timed until its generations have caught up. The peer reads the same trips from their topic into
 * state stores on disk. It parses each record and adds doubles, whereas Milepost reads the typed columns of its log,
 * and its sums are exact.
 */
await using peer = await peerOrNone(prepareKafkaStreams());
await using broker = await startBroker();
const measurements: Measurement[] = [];
for (const part of PARTS) measurements.push(await measure(broker, peer, part));
await report(
  'replay-streams',
  measurements,
  {
    ...Object.fromEntries(PARTS.map(({ size, trips }) => [`${size.name} trips`, trips])),
    partitions: PARTITIONS,
    rounds: ROUNDS,
  },
  null,
);
