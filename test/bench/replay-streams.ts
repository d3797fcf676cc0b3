/** A replay of both rollups, compared with Kafka Streams rebuilding its state stores. About three minutes. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Pool } from 'pg';
import { type Broker, PARTITIONS, publish, startBroker } from './support/broker.ts';
import { inRounds } from './support/figures.ts';
import { type JavaPeer, peerOrNone, prepareJavaPeer } from './support/java-peer.ts';
import { ingestSettings } from './support/kafka-milepost.ts';
import { startMilepost, stopChild } from './support/milepost.ts';
import { type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';
import { timeReplay } from './support/time-replay.ts';
import { SMALL, STANDARD, type TripSize, tripRecords } from './support/trip-records.ts';
import { readableTrips, untilReadable } from './support/until-readable.ts';

/** The number of small trips; there are a quarter as many standard trips. */
const TRIPS = size(200_000, 1_000, 'TRIPS');
const ROUNDS = size(3, 1, 'ROUNDS');
const PROJECTIONS = 'daily_rollups,weekly_rollups';
/** The largest relative difference between two sums of the same doubles added in different orders. */
const TOLERANCE = 1e-9;

/**
 * Builds the drivers' days and weeks in empty state stores from all `trips` in a topic. The returned seconds run from
 * the first trip until the state is on disk, so they exclude the process's startup.
 */
async function rebuildFromTopic(peer: JavaPeer, broker: Broker, topic: string, trips: number) {
  const id = `rollups-${randomUUID()}`;
  const child = peer.start('Rollups', [broker.addresses.join(','), topic, id, join(peer.directory, id), String(trips)]);
  if (child.stdout === null) throw new Error(`${peer.name} has no stdout.`);
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (child.exitCode !== 0) throw new Error(`${peer.name} exited with code ${child.exitCode}: ${output}`);
  const [seconds = 0, days = 0, weeks = 0, summed = 0, miles = 0] = (output.trim().split('\n').at(-1) ?? '')
    .split(' ')
    .map(Number);
  return { seconds, days, weeks, trips: summed, miles };
}

/** Throws unless the peer has as many days and weeks as Milepost, and the same total trips and miles. */
async function assertSame(database: Pool, rebuilt: Awaited<ReturnType<typeof rebuildFromTopic>>): Promise<void> {
  const { rows } = await database.query<{ days: number; weeks: number; trips: number; miles: number }>(
    `SELECT count(*)::integer AS days, count(DISTINCT (fleet_id, driver_id, date_trunc('week', date)))::integer AS weeks,
       sum((summary::jsonb->>'trip_count')::integer)::integer AS trips,
       sum((summary::jsonb->>'distance_miles')::numeric)::float8 AS miles
     FROM daily_rollups`,
  );
  const { days = 0, weeks = 0, trips = 0, miles = 0 } = rows[0] ?? {};
  const isSame = days === rebuilt.days && weeks === rebuilt.weeks && trips === rebuilt.trips;
  if (!isSame || Math.abs(rebuilt.miles - miles) > miles * TOLERANCE) {
    throw new Error(`Kafka Streams has ${JSON.stringify(rebuilt)}, Milepost ${JSON.stringify(rows[0])}.`);
  }
}

/**
 * Reads a topic's trips into the log and the read tables, as in production, and then measures the replay until its
 * generations have caught up. The peer reads the same topic into state stores on disk. The peer parses each record and
 * adds doubles, whereas Milepost reads typed columns from its log and computes exact sums.
 */
async function measure(broker: Broker, peer: JavaPeer | null, size: TripSize, trips: number): Promise<Measurement> {
  await using milepost = await startMilepost();
  const { database } = milepost;
  const topics = await broker.makeTopics();
  await publish(broker, topics, tripRecords(size, trips));
  const processes = [milepost.start('ingest', ingestSettings(broker, topics)), milepost.start('projector')];
  await untilReadable(async () => await readableTrips(database), trips);
  for (const process of processes) await stopChild(process);
  await database.query('VACUUM ANALYZE');
  await database.query('CHECKPOINT');
  milepost.startOps();
  const rebuild = async (from: JavaPeer) => {
    const rebuilt = await rebuildFromTopic(from, broker, topics.trips, trips);
    await assertSame(database, rebuilt);
    return trips / rebuilt.seconds;
  };
  const [ours = [], peers] = await inRounds(ROUNDS, [
    async () => trips / (await timeReplay(milepost, database, PROJECTIONS)).filled,
    ...(peer ? [async () => await rebuild(peer)] : []),
  ]);
  return {
    work: `replay of both rollups, ${size.name} trips`,
    unit: 'trips/s',
    milepost: ours,
    against: peers ? { name: 'Kafka Streams', figures: peers } : null,
  };
}

await using peer = await peerOrNone(prepareJavaPeer('Kafka Streams', 'streams'));
await using broker = await startBroker();
const measurements = [await measure(broker, peer, STANDARD, TRIPS / 4), await measure(broker, peer, SMALL, TRIPS)];
const sizes = { 'standard trips': TRIPS / 4, 'small trips': TRIPS, partitions: PARTITIONS, rounds: ROUNDS };
await report(measurements, sizes, null);
