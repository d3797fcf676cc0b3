import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { holdSources, markSourceFault, type SourceClaim } from '@milepost/event-log';
import type { Pool } from '@milepost/postgres';
import { type Logger, messageOf } from '@milepost/service';
import type { Admin, Kafka } from 'kafkajs';
import type { KafkaConfig } from '../config.ts';
import { RecordReader } from '../records/record-reader.ts';
import { SourceStoppedError } from './errors.ts';
import { FetchLimit } from './fetch-queue.ts';
import { JointAppender } from './joint-appender.ts';
import { Partition } from './partition.ts';
import { ensureTopics } from './topics.ts';

/** Heartbeats of a session: nine may be lost. */
const HEARTBEATS = 10;
const FETCH_BYTES_PER_PARTITION = 2 * 1024 * 1024;
const FETCH_BYTES = 16 * 1024 * 1024;
/** Also how long the client takes to notice that there is room again, when all partitions are paused. */
const LONGEST_FETCH_MILLISECONDS = 200;
/** The rest at the end of a partition, until the next fetch: one for each record costs more than it spares. */
const END_REST_MILLISECONDS = 20;
/** More than a process has partitions: all that a fetch brings is handed over at once. */
const PARTITIONS_AT_ONCE = 64;
const CHECK_MILLISECONDS = 5_000;
/** One that hangs does not leave the group either. */
const LONGEST_LEAVE_MILLISECONDS = 5_000;
/** A consumer that has stood still this long while the topic grows is built anew. */
const STALL_MILLISECONDS = 30_000;

export interface ConsumeOptions {
  kafka: Kafka;
  pool: Pool;
  config: KafkaConfig;
  logger: Logger;
  signal: AbortSignal;
  /** How many consumers before this one crashed soon after their start, one after the other. */
  crashes: number;
  /** Told each time the brokers have answered a fetch. */
  onFetched: () => void;
}

/**
 * The claims whose partitions hold offsets that were not fetched. Partitions that hold less than was read are stopped:
 * their topic was made anew, and may hold more soon.
 */
async function findBehind(admin: Admin, partitions: readonly Partition[]): Promise<SourceClaim[]> {
  const read = partitions.flatMap((partition) => (partition.claim ? [{ partition, claim: partition.claim }] : []));
  const behind: SourceClaim[] = [];
  for (const topic of new Set(read.map(({ claim }) => claim.topic))) {
    const offsets = new Map((await admin.fetchTopicOffsets(topic)).map((held) => [held.partition, held]));
    for (const { partition, claim } of read.filter((candidate) => candidate.claim.topic === topic)) {
      const held = offsets.get(claim.partition);
      if (!held) continue;
      const high = Number(held.high);
      if (high < claim.nextOffset) partition.fail(SourceStoppedError.outOfRange(claim, Number(held.low), high));
      else if (high > partition.fetchedTo) behind.push(claim);
    }
  }
  return behind;
}

/**
 * Runs one consumer of the group. The client hands over what it fetches and goes on at once; it pauses while much is not
 * stored yet. What it commits is a hint for lag tools: PostgreSQL owns the offsets.
 *
 * @returns null when it was asked to stop; otherwise why it can no longer be trusted, and a new one has to take its place
 */
export async function consume(options: ConsumeOptions): Promise<string | null> {
  const { kafka, pool, config, logger, signal, crashes, onFetched } = options;
  const admin = kafka.admin();
  const consumer = kafka.consumer({
    groupId: config.groupId,
    sessionTimeout: config.sessionTimeoutMilliseconds,
    rebalanceTimeout: 60_000,
    heartbeatInterval: config.sessionTimeoutMilliseconds / HEARTBEATS,
    maxBytesPerPartition: FETCH_BYTES_PER_PARTITION,
    maxBytes: FETCH_BYTES,
    maxWaitTimeInMs: LONGEST_FETCH_MILLISECONDS,
    // Crashes end this consumer: one place decides what happens next.
    retry: { retries: 5, restartOnFailure: async () => false },
  });
  const crashed = new AbortController();
  const ending = AbortSignal.any([signal, crashed.signal]);
  const reader = new RecordReader();
  const appender = new JointAppender(pool);
  let assignment = new AbortController();
  let limit = new FetchLimit(consumer);
  let partitions: Partition[] = [];
  let running: Promise<unknown> = Promise.resolve();
  let lastSign = performance.now();
  let isAsking = false;

  /** Ends what was assigned before, and reads what is assigned now. */
  function assign(memberAssignment: Record<string, number[]>): void {
    assignment.abort();
    assignment = new AbortController();
    limit = new FetchLimit(consumer);
    const assigned = AbortSignal.any([ending, assignment.signal]);
    const shared = { pool, admin, limit, reader, appender, logger, signal: assigned };
    partitions = Object.entries(memberAssignment).flatMap(([topic, numbers]) => {
      // Until each is claimed, which says from where on.
      consumer.pause([{ topic, partitions: numbers }]);
      return numbers.map((number) => new Partition(topic, number, shared));
    });
    running = Promise.all(partitions.map((partition) => partition.run().catch((error) => crashed.abort(error))));
  }

  const partitionOf = (topic: string, number: number) =>
    partitions.find((candidate) => candidate.topic === topic && candidate.partition === number);

  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    lastSign = performance.now();
    assign(payload.memberAssignment);
  });
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
    lastSign = performance.now();
    // Nothing but control records and what was aborted: these are not handed over.
    if (payload.batchSize > 0) return;
    partitionOf(payload.topic, payload.partition)?.add(payload.firstOffset, payload.lastOffset, []);
  });
  // With every partition paused the client asks no broker, and tells of a fetch all the same.
  consumer.on(consumer.events.FETCH_START, () => {
    isAsking = partitions.some(({ claim }) => claim !== null);
  });
  consumer.on(consumer.events.FETCH, () => {
    if (isAsking) onFetched();
  });
  consumer.on(consumer.events.CRASH, async ({ payload: { error } }) => {
    // Which partition brings the consumer down nobody says: it is among those that have more to read.
    const fault = `Ingest fails again and again where it reads this: ${messageOf(error)}`;
    const behind = crashes > 0 ? await findBehind(admin, partitions).catch(() => []) : [];
    await markSourceFault(pool, behind, fault, false).catch(() => {});
    crashed.abort(error);
  });

  /** Says that the partitions are read, and how far. Ends the consumer when the client brings nothing while topics grow. */
  async function check(): Promise<void> {
    const behind = await findBehind(admin, partitions).catch(() => null);
    if (!behind?.length || limit.isFull) lastSign = performance.now();
    if (performance.now() - lastSign >= STALL_MILLISECONDS)
      crashed.abort(new Error('it stands still while topics grow'));
    const claims = partitions.flatMap(({ claim }) => claim ?? []);
    const hints = claims.map(({ topic, partition, nextOffset }) => ({ topic, partition, offset: String(nextOffset) }));
    // Not awaited: a client that hangs answers nothing.
    consumer.commitOffsets(hints).catch(() => {});
    // Not while the broker is away: nothing could come in.
    if (behind !== null) await holdSources(pool, claims).catch(() => {});
  }

  try {
    await admin.connect();
    const created = await ensureTopics(admin, [config.tripsTopic, config.driversTopic]);
    if (created.length > 0) logger.info({ topics: created }, 'topics created');
    await consumer.connect();
    await consumer.subscribe({ topics: [config.tripsTopic, config.driversTopic], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
      eachBatch: async ({ batch, isStale, resolveOffset }) => {
        const partition = isStale() ? undefined : partitionOf(batch.topic, batch.partition);
        if (partition?.add(batch.firstOffset(), batch.lastOffset(), batch.messages)) resolveOffset(batch.lastOffset());
        if (batch.offsetLag() === '0') await delay(END_REST_MILLISECONDS);
      },
    });
    for (const ended = once(ending, 'abort'); !ending.aborted; ) {
      await Promise.race([ended, delay(CHECK_MILLISECONDS, undefined, { ref: false })]);
      if (!ending.aborted) await Promise.race([ended, check()]);
    }
    return signal.aborted ? null : messageOf(crashed.signal.reason);
  } finally {
    assignment.abort();
    await running;
    const left = consumer
      .disconnect()
      .catch((error: unknown) => logger.warn({ error }, 'consumer did not leave in order'));
    await Promise.race([left, delay(LONGEST_LEAVE_MILLISECONDS, undefined, { ref: false })]);
    await Promise.all([reader.close(), admin.disconnect().catch(() => {})]);
  }
}
