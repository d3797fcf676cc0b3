/** The time from producing a trip until the API shows it, at half the rate of a burst. About two minutes. */

import { setTimeout as delay } from 'node:timers/promises';
import { tripId } from '@milepost/domain/trip-id';
import type { SimulatedRecord } from '@milepost/sample-fleet';
import { batches } from '../../apps/cli/simulate/batches.ts';
import { execute } from '../support/execute.ts';
import { describeBacklog, workThrough } from './support/backlog.ts';
import { type Broker, PARTITIONS, publish, startBroker, type Topics } from './support/broker.ts';
import { percentile } from './support/figures.ts';
import { startKafkaMilepost } from './support/kafka-milepost.ts';
import { type BenchMilepost, startMilepost, stopChild } from './support/milepost.ts';
import { FLEET, type ReadingApi, startReadingApi } from './support/reading-api.ts';
import { atMost, type Measurement, report } from './support/results.ts';
import { size } from './support/sizes.ts';
import { makeContents, SMALL, STANDARD, sourceTripId, take, tripRecords } from './support/trip-records.ts';

/** The number of standard trips in a burst; a burst of small trips has ten times as many trips. */
const TRIPS = size(6_000, 500, 'TRIPS');
const SECONDS = size(25, 2, 'SECONDS');
/** The duration of the warm-up, during which trips are sent at the same rate but not counted. */
const WARM_UP_SECONDS = size(5, 1);
const SHARE_OF_BURST = 0.5;
/** The number of trips requested from the API per second. */
const SAMPLES_PER_SECOND = 20;
const SEND_EVERY_MILLISECONDS = 10;
const POLL_MILLISECONDS = 10;
const MAX_WAIT_MILLISECONDS = 60_000;
const GOAL_MILLISECONDS = 500;

const PARTS = [
  { size: STANDARD, burst: TRIPS },
  { size: SMALL, burst: TRIPS * 10 },
];

/**
 * Requests the watched trips again and again until the API shows them. Returns how many milliseconds after `since` each
 * trip was seen; these times include the interval between requests.
 *
 * @param pending the watched trips by id, to which the caller adds more until `isLast` is true
 */
async function observe(
  { base, headers }: ReadingApi,
  pending: Map<string, number>,
  isLast: () => boolean,
): Promise<number[]> {
  const waits: number[] = [];
  while (!isLast() || pending.size > 0) {
    for (const [id, since] of pending) {
      const answer = await fetch(`${base}/api/v1/trip/trip_id/${id}`, { headers });
      await answer.arrayBuffer();
      if (!answer.ok && answer.status !== 404) throw new Error(`The API returned status ${answer.status}.`);
      const waited = performance.now() - since;
      if (waited > MAX_WAIT_MILLISECONDS) throw new Error(`The trip ${id} is not visible after one minute.`);
      if (!answer.ok) continue;
      waits.push(waited);
      pending.delete(id);
    }
    await delay(POLL_MILLISECONDS);
  }
  return waits;
}

/**
 * Publishes at a fixed rate, in a small request every 10 ms. If a request takes longer than that, the records that
 * become due in the meantime wait for the next request.
 *
 * @param onDue called before each send with the time at which the record is due, on the clock of `performance.now()`
 */
async function publishSteadily(
  broker: Broker,
  topics: Topics,
  records: Iterator<SimulatedRecord, void>,
  { rate, seconds, onDue }: { rate: number; seconds: number; onDue: (dueAt: number) => void },
): Promise<void> {
  const start = performance.now();
  const total = Math.floor(rate * seconds);
  for (let sent = 0; sent < total; ) {
    const now = performance.now();
    const due = Math.min(total, Math.ceil(((now - start) / 1_000) * rate)) - sent;
    for (let index = 0; index < due; index += 1) onDue(start + ((sent + index) / rate) * 1_000);
    for (const batch of batches(take(records, due))) await broker.send(topics.trips, batch);
    sent += due;
    await delay(Math.max(0, now + SEND_EVERY_MILLISECONDS - performance.now()));
  }
}

async function measure(
  milepost: BenchMilepost,
  broker: Broker,
  { size, burst }: (typeof PARTS)[number],
): Promise<Measurement[]> {
  const topics = await broker.makeTopics();
  const records = tripRecords(size, Number.POSITIVE_INFINITY, makeContents(size));
  const service = await startKafkaMilepost(milepost, broker, topics);
  let api: ReadingApi | null = null;
  try {
    // The publisher uses processor time during the measured run, so it must use some here too. The burst is therefore
    // published while the service processes it.
    const [figures] = await Promise.all([workThrough(service, burst), publish(broker, topics, take(records, burst))]);
    console.log(describeBacklog(`${size.name} trips, a burst`, figures));
    const rate = figures.tripsPerSecond * SHARE_OF_BURST;
    api = await startReadingApi(milepost, service.url);
    // Flushing the burst's data, including the broker's, must not add work to the measured run.
    await service.pool.query('CHECKPOINT');
    await execute('sync');
    let index = burst;
    let isLast = false;
    const watched = new Map<string, number>();
    const countsFrom = performance.now() + WARM_UP_SECONDS * 1_000;
    const publishing = publishSteadily(broker, topics, records, {
      rate,
      seconds: WARM_UP_SECONDS + SECONDS,
      onDue: (dueAt) => {
        // The samples are spread evenly over the drivers and therefore over the partitions.
        const isSampled = (index * 0.6180339887498949) % 1 < SAMPLES_PER_SECOND / rate;
        if (isSampled && dueAt >= countsFrom) watched.set(tripId(FLEET, sourceTripId(size, index)), dueAt);
        index += 1;
      },
    }).finally(() => (isLast = true));
    const [waits] = await Promise.all([observe(api, watched, () => isLast), publishing]);
    const work = `${size.name} trips at ${rate.toFixed(0)} a second, until the API shows them, ${waits.length} trips`;
    return [
      { work, unit: 'ms p50', milepost: [percentile(waits, 0.5)] },
      { work, unit: 'ms p99', milepost: [percentile(waits, 0.99)], goal: atMost(GOAL_MILLISECONDS) },
    ];
  } finally {
    if (api) await stopChild(api.process);
    await service.stop();
  }
}

await using milepost = await startMilepost();
await using broker = await startBroker();
const measurements: Measurement[] = [];
for (const part of PARTS) measurements.push(...(await measure(milepost, broker, part)));
const sizes = { partitions: PARTITIONS, seconds: SECONDS, 'samples a second': SAMPLES_PER_SECOND };
await report(measurements, sizes, milepost.database);
