import { holdSources } from '@milepost/event-log';
import type { Pool } from '@milepost/postgres';
import type { Logger } from '@milepost/service';
import type { Admin, EachBatchPayload, Kafka } from 'kafkajs';
import type { KafkaConfig } from '../config.ts';
import { RecordReader } from '../records/record-reader.ts';
import { SourceGapError } from './errors.ts';
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
}

/** Why a consumer ended: asked to, or so that a new one takes its place. */
export type ConsumerEnd = 'stopped' | 'rebuild';

/** A promise of the end, which comes by `end`, by `fail`, or by the signal. */
function ending(signal: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<ConsumerEnd>();
  // It may fail while the consumer is still starting and nobody awaits it yet.
  promise.catch(() => {});
  signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  if (signal.aborted) resolve('stopped');
  return { ended: promise, end: resolve, fail: reject };
}

/**
 * Whether any partition in `claims` holds records past what is stored. Offsets in `skipped` hold no records (markers of
 * transactions), so the log never hears of them.
 */
async function isBehind(admin: Admin, claims: PartitionClaims, skipped: Map<string, number>): Promise<boolean> {
  const held = await claims.held();
  for (const topic of new Set(held.map((claim) => claim.topic))) {
    const offsets = await admin.fetchTopicOffsets(topic);
    for (const { partition, nextOffset } of held.filter((claim) => claim.topic === topic)) {
      const high = Number(offsets.find((offset) => offset.partition === partition)?.high ?? 0);
      if (high > Math.max(nextOffset, skipped.get(`${topic}/${partition}`) ?? 0)) return true;
    }
  }
  return false;
}

/**
 * Runs one consumer of the group until it is asked to stop or can no longer be trusted (crashed, stood still), in which
 * case the caller builds a new one. Offsets are never committed by the client on its own: PostgreSQL owns them.
 *
 * @throws SourceGapError when a topic no longer holds what comes next
 */
export async function consume(options: ConsumeOptions): Promise<ConsumerEnd> {
  const { kafka, admin, pool, config, logger, signal } = options;
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
  const { ended, end, fail } = ending(signal);
  const claims = new PartitionClaims({
    pool,
    admin,
    logger,
    signal,
    seek: ({ topic, partition, nextOffset }) => consumer.seek({ topic, partition, offset: String(nextOffset) }),
    onGap: fail,
  });
  const detector = new StallDetector(Date.now());
  const skipped = new Map<string, number>();
  const reader = new RecordReader();
  const handleBatch = createBatchHandler({
    reader,
    appender: new JointAppender(pool),
    consumer,
    claims,
    logger,
    onStored: () => detector.sign(Date.now()),
  });
  const eachBatch = async (payload: EachBatchPayload) => {
    await handleBatch(payload).catch((error: unknown) => {
      // The client would wrap and retry it; a gap is for an operator to settle.
      if (error instanceof SourceGapError) fail(error);
      throw error;
    });
  };

  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    detector.sign(Date.now());
    claims.assign(payload.memberAssignment);
  });
  consumer.on(consumer.events.START_BATCH_PROCESS, () => detector.sign(Date.now()));
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
    const { topic, partition, batchSize, lastOffset } = payload;
    if (batchSize === 0) skipped.set(`${topic}/${partition}`, Number(lastOffset) + 1);
  });
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    const { error } = payload;
    logger.error({ error }, 'consumer crashed: building a new one');
    end('rebuild');
  });

  let checking = false;
  const timer = setInterval(async () => {
    // A check waits for claims, and those for the database: while it is away only one may wait.
    if (checking) return detector.sign(Date.now());
    checking = true;
    const behind = await isBehind(admin, claims, skipped).catch(() => null);
    // Not while the broker is away: nothing could come in.
    if (behind !== null) await holdSources(pool, await claims.held()).catch(() => {});
    checking = false;
    if (!behind) detector.sign(Date.now());
    if (!detector.isStalled(Date.now())) return;
    logger.error('consumer stands still while the topic grows: building a new one');
    end('rebuild');
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
