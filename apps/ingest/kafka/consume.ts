import { holdSources, markSourceFault, type SourceClaim } from '@milepost/event-log';
import type { Pool } from '@milepost/postgres';
import { type Logger, messageOf } from '@milepost/service';
import type { Admin, Kafka } from 'kafkajs';
import type { KafkaConfig } from '../config.ts';
import { RecordReader } from '../records/record-reader.ts';
import { SourceStoppedError } from './errors.ts';
import { createBatchHandler } from './handle-batch.ts';
import { JointAppender } from './joint-appender.ts';
import { PartitionClaims } from './partition-claims.ts';
import { StallDetector } from './stall.ts';

/** Heartbeats of a session: nine may be lost. */
const HEARTBEATS = 10;
const FETCH_BYTES_PER_PARTITION = 8 * 1024 * 1024;
const FETCH_BYTES = 32 * 1024 * 1024;
/** More than a process has partitions: all that a fetch brings is read and appended together. */
const PARTITIONS_AT_ONCE = 64;
const STALL_CHECK_MILLISECONDS = 5_000;

export interface ConsumeOptions {
  kafka: Kafka;
  admin: Admin;
  pool: Pool;
  config: KafkaConfig;
  logger: Logger;
  signal: AbortSignal;
  /** How many consumers before this one crashed soon after their start, one after the other. */
  crashes: number;
  /** Told each time the brokers have answered a fetch. */
  onFetched: () => void;
}

/** Why a consumer ended: asked to, or so that a new one takes its place, as it stood still or crashed. */
export type ConsumerEnd = { how: 'stopped' | 'stalled' } | { how: 'crashed'; reason: string };

/** A promise of the end, which comes by `end` or by the signal. */
function ending(signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<ConsumerEnd>();
  signal.addEventListener('abort', () => resolve({ how: 'stopped' }), { once: true });
  if (signal.aborted) resolve({ how: 'stopped' });
  return { ended: promise, end: resolve };
}

/**
 * The claims whose partitions hold records past what is stored. Offsets in `skipped` hold no records (markers of
 * transactions), so the log never hears of them. Partitions that hold less than was read are stopped: their topic was made
 * anew, and may hold more soon.
 */
async function findBehind(admin: Admin, claims: PartitionClaims, skipped: Map<string, number>): Promise<SourceClaim[]> {
  const all = await claims.held();
  const behind: SourceClaim[] = [];
  for (const topic of new Set(all.map((claim) => claim.topic))) {
    const offsets = await admin.fetchTopicOffsets(topic);
    for (const claim of all.filter((candidate) => candidate.topic === topic)) {
      const { partition, nextOffset } = claim;
      const held = offsets.find((offset) => offset.partition === partition);
      if (!held) continue;
      const high = Number(held.high);
      if (high < nextOffset) await claims.stop(SourceStoppedError.outOfRange(claim, Number(held.low), high));
      if (high > Math.max(nextOffset, skipped.get(`${topic}/${partition}`) ?? 0)) behind.push(claim);
    }
  }
  return behind;
}

/**
 * Runs one consumer of the group until it is asked to stop or can no longer be trusted (crashed, stood still), in which
 * case the caller builds a new one. Offsets are never committed by the client on its own: PostgreSQL owns them.
 */
export async function consume(options: ConsumeOptions): Promise<ConsumerEnd> {
  const { kafka, admin, pool, config, logger, signal, crashes, onFetched } = options;
  const consumer = kafka.consumer({
    groupId: config.groupId,
    sessionTimeout: config.sessionTimeoutMilliseconds,
    rebalanceTimeout: 60_000,
    heartbeatInterval: config.sessionTimeoutMilliseconds / HEARTBEATS,
    maxBytesPerPartition: FETCH_BYTES_PER_PARTITION,
    maxBytes: FETCH_BYTES,
    maxWaitTimeInMs: 500,
    // Crashes end this consumer: one place decides what happens next.
    retry: { retries: 5, restartOnFailure: async () => false },
  });
  const { ended, end } = ending(signal);
  const claims = new PartitionClaims({ pool, admin, consumer, logger, signal });
  const detector = new StallDetector(Date.now());
  const skipped = new Map<string, number>();
  const reader = new RecordReader();
  const eachBatch = createBatchHandler({
    reader,
    appender: new JointAppender(pool),
    consumer,
    claims,
    logger,
    onStored: () => detector.sign(Date.now()),
  });

  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    detector.sign(Date.now());
    claims.assign(payload.memberAssignment);
  });
  consumer.on(consumer.events.START_BATCH_PROCESS, () => detector.sign(Date.now()));
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
    const { topic, partition, batchSize, lastOffset } = payload;
    if (batchSize === 0) skipped.set(`${topic}/${partition}`, Number(lastOffset) + 1);
  });
  consumer.on(consumer.events.FETCH, onFetched);
  consumer.on(consumer.events.CRASH, async ({ payload: { error } }) => {
    const reason = messageOf(error);
    if (crashes > 0) await markUnreadable(reason).catch(() => {});
    end({ how: 'crashed', reason });
  });

  /** Which partition brings the consumer down nobody says: it is among those that have more to read. */
  async function markUnreadable(reason: string): Promise<void> {
    const fault = `Ingest fails again and again where it reads this: ${reason}`;
    await markSourceFault(pool, await findBehind(admin, claims, skipped), fault, false);
  }

  let checking = false;
  const timer = setInterval(async () => {
    // A check waits for claims, and those for the database: while it is away only one may wait.
    if (checking) return detector.sign(Date.now());
    checking = true;
    const behind = await findBehind(admin, claims, skipped).catch(() => null);
    // Not while the broker is away: nothing could come in.
    if (behind !== null) await holdSources(pool, await claims.held()).catch(() => {});
    await claims.resumeSettled().catch(() => {});
    checking = false;
    if (!behind?.length) detector.sign(Date.now());
    if (!detector.isStalled(Date.now())) return;
    logger.error('consumer stands still while the topic grows: building a new one');
    end({ how: 'stalled' });
  }, STALL_CHECK_MILLISECONDS);

  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [config.tripsTopic, config.driversTopic], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
      eachBatch,
    });
    return await ended;
  } finally {
    clearInterval(timer);
    await consumer.disconnect().catch((error: unknown) => logger.warn({ error }, 'consumer did not leave in order'));
    await reader.close();
  }
}
