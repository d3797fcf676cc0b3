import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { holdSources, type SourceClaim } from '@milepost/event-log';
import { deniedTopicOf, isOfGroup, unhideGroupError } from '@milepost/kafka';
import type { KafkaConfig } from '@milepost/kafka/config';
import type { IngestMetrics } from '@milepost/metrics/ingest';
import { type Pool, retryTransientErrors } from '@milepost/postgres';
import { type Logger, messageOf } from '@milepost/service';
import type { Admin, Kafka } from 'kafkajs';
import { type IngestLanes, NewLaneError } from '../lanes.ts';
import { RecordReader } from '../records/record-reader.ts';
import { FetchLimit } from './fetch-queue.ts';
import { JointAppender } from './joint-appender.ts';
import { DEFAULT_COMPARISON_MILLISECONDS, Partition } from './partition.ts';
import { SourceStoppedError } from './topic-identity.ts';
import { TopicsChangedError, TopicWatch } from './topic-watch.ts';

/** The number of heartbeats in one session timeout: nine may be lost. */
const HEARTBEATS = 10;
const FETCH_BYTES_PER_PARTITION = 2 * 1024 * 1024;
const FETCH_BYTES = 16 * 1024 * 1024;
/**
 * The maximum wait of a fetch. While all partitions are paused, it is also the maximum delay after which the client
 * notices that the queues have room again.
 */
const MAX_FETCH_MILLISECONDS = 200;
/** The maximum age of the list of partitions. Partitions that are added to a topic are read after this time. */
const MAX_METADATA_MILLISECONDS = 10_000;
/**
 * The pause at the end of a partition before the next fetch. It adds a delay, but a fetch for each record would cost
 * more.
 */
const END_PAUSE_MILLISECONDS = 20;
/**
 * Kafka replaces a lost broker after 9 s (`broker.session.timeout.ms`). If the coordinator is lost, a consumer that
 * gives up earlier cannot leave the group. The next consumer would wait for the end of that member's session.
 */
const LOST_BROKER_RETRY = { retries: 15, initialRetryTime: 200, maxRetryTime: 1_000 };
/** This exceeds the number of partitions of a process, so that all partitions of a fetch are handled concurrently. */
const PARTITIONS_AT_ONCE = 64;
const CHECK_MILLISECONDS = 5_000;
/** A lane that does not answer does not delay the checks. */
const patience = async () => await delay(CHECK_MILLISECONDS, undefined, { ref: false });
/** The maximum wait until a consumer leaves the group: one that hangs must not delay the next. */
const MAX_LEAVE_MILLISECONDS = 5_000;
/** A broker that does not answer does not delay the next consumer. */
const MAX_LOOKUP_MILLISECONDS = 5_000;
/** A consumer that reads nothing for this long while the topic grows is replaced. */
const STALL_MILLISECONDS = 30_000;

export interface ConsumeOptions {
  kafka: Kafka;
  /** The pool of lane 0, which stores the findings about Kafka. */
  pool: Pool;
  /** Reads the list of lanes. */
  openLanes: () => Promise<IngestLanes>;
  config: KafkaConfig;
  metrics?: IngestMetrics | undefined;
  logger: Logger;
  signal: AbortSignal;
  /** The next offset, by topic and partition, of the sources at which an earlier consumer crashed. */
  crashedAt: Map<string, number>;
  /** Called each time the brokers have answered a fetch. */
  onFetched: () => void;
  /** Decides which topics are read. Consumers of one process share it. */
  watch?: TopicWatch;
  /** The maximum age of the last comparison of a partition with its topic. */
  comparisonMilliseconds?: number;
}

/**
 * Returns the partitions that have offsets that were not fetched. If the end of a partition is before the offsets that
 * were read, the partition is stopped: its topic was created again, and may soon grow past these offsets.
 */
async function findBehind(admin: Admin, partitions: readonly Partition[]): Promise<Partition[]> {
  const read = partitions.flatMap((partition) => (partition.claim ? [{ partition, claim: partition.claim }] : []));
  const behind: Partition[] = [];
  for (const topic of new Set(read.map(({ claim }) => claim.topic))) {
    const offsets = new Map((await admin.fetchTopicOffsets(topic)).map((held) => [held.partition, held]));
    for (const { partition, claim } of read.filter((candidate) => candidate.claim.topic === topic)) {
      const held = offsets.get(claim.partition);
      if (!held) continue;
      const high = Number(held.high);
      partition.end = high;
      if (high < claim.nextOffset) partition.fail(SourceStoppedError.outOfRange(claim, Number(held.low), high));
      else if (high > partition.fetchedTo) behind.push(partition);
    }
  }
  return behind;
}

const nameOf = ({ topic, partition }: Partition) => `${topic}/${partition}`;
const offsetOf = ({ claim, lastClaim }: Partition) => (claim ?? lastClaim)?.nextOffset;

/**
 * Runs one consumer of the group. The client hands over each fetch and continues immediately. It pauses while too many
 * bytes are not stored yet. The offsets that it commits are hints for lag tools: PostgreSQL owns the offsets.
 *
 * @returns null when it was stopped by the signal; otherwise the reason why a new consumer must replace it
 * @throws TopicsChangedError when other topics are to be read, NewLaneError when a lane was added, and errors of the
 * connection and the group
 */
export async function consume(options: ConsumeOptions): Promise<string | null> {
  const { kafka, openLanes, config, metrics, logger, signal, crashedAt, onFetched } = options;
  const { comparisonMilliseconds = DEFAULT_COMPARISON_MILLISECONDS, watch = new TopicWatch(options) } = options;
  const pools = await retryTransientErrors(openLanes, {
    signal,
    onRetry: (error) =>
      logger.warn({ reason: messageOf(error) }, 'the database does not answer: retrying to read the lanes'),
  });
  const appenders = new Map([...pools.pools].map(([lane, pool]) => [lane, new JointAppender(pool, metrics)]));
  const lanes = { ...pools, appenders, turns: new Map<string, Promise<unknown>>() };
  const admin = kafka.admin();
  const consumer = kafka.consumer({
    groupId: config.groupId,
    sessionTimeout: config.sessionTimeoutMilliseconds,
    rebalanceTimeout: 60_000,
    heartbeatInterval: config.sessionTimeoutMilliseconds / HEARTBEATS,
    maxBytesPerPartition: FETCH_BYTES_PER_PARTITION,
    maxBytes: FETCH_BYTES,
    maxWaitTimeInMs: MAX_FETCH_MILLISECONDS,
    // Each request for the list also compares all partitions with their topics, so requests are at least as far apart
    // as comparisons.
    metadataMaxAge: Math.max(MAX_METADATA_MILLISECONDS, comparisonMilliseconds),
    // A crash ends this consumer: the caller alone decides on a restart.
    retry: { ...LOST_BROKER_RETRY, restartOnFailure: async () => false },
  });
  const crashed = new AbortController();
  const ending = AbortSignal.any([signal, crashed.signal]);
  const reader = new RecordReader();
  let assignment = new AbortController();
  const newLimit = () => new FetchLimit(consumer, () => metrics?.countPause());
  let limit = newLimit();
  let partitions: Partition[] = [];
  let running: Promise<unknown> = Promise.resolve();
  let lastSign = performance.now();
  let isAsking = false;

  /** Ends the previous assignment, and reads the new one. */
  function assign(memberAssignment: Record<string, number[]>): void {
    assignment.abort();
    assignment = new AbortController();
    limit = newLimit();
    const assigned = AbortSignal.any([ending, assignment.signal]);
    const shared = { lanes, admin, limit, reader, metrics, logger, comparisonMilliseconds, signal: assigned };
    partitions = Object.entries(memberAssignment).flatMap(([topic, numbers]) => {
      // Each partition is paused until it is claimed, because the claim determines the offset.
      consumer.pause([{ topic, partitions: numbers }]);
      return numbers.map((number) => new Partition(topic, number, shared));
    });
    const run = async (partition: Partition) =>
      await partition.run().catch(async (error: unknown) => await crash(error, [partition]));
    // The next consumer must not claim a partition while an ended assignment is still claiming it.
    running = Promise.all([running, ...partitions.map(run)]);
  }

  const partitionOf = (topic: string, number: number) =>
    partitions.find((candidate) => candidate.topic === topic && candidate.partition === number);

  metrics?.readAssignment(
    () => partitions,
    () => limit.bytes,
  );
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    metrics?.countRebalance();
    lastSign = performance.now();
    assign(payload.memberAssignment);
    void watch.report();
  });
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
    lastSign = performance.now();
    // The batch has only control records and aborted records, which the client does not pass on.
    if (payload.batchSize > 0) return;
    partitionOf(payload.topic, payload.partition)?.add(payload.firstOffset, payload.lastOffset, []);
  });
  // While all partitions are paused, the client sends no request but still emits the event FETCH.
  consumer.on(consumer.events.FETCH_START, () => {
    isAsking = partitions.some(({ claim }) => claim !== null);
  });
  consumer.on(consumer.events.FETCH, ({ payload }) => {
    metrics?.countStep('read', payload.duration);
    if (isAsking) onFetched();
  });
  // The client requests the metadata of the topics after each failed fetch, and then continues at the same offset.
  consumer.on(consumer.events.REQUEST, ({ payload }) => {
    if (payload.apiName === 'Metadata') for (const partition of partitions) partition.compare('now');
  });
  consumer.on(consumer.events.CRASH, async ({ payload: { error } }) => {
    const denied = deniedTopicOf(error);
    if (denied !== null) {
      watch.deny(denied);
      crashed.abort(new TopicsChangedError(messageOf(error)));
    } else await crash(error, await findFailed());
  });

  /** The client does not report the partition that failed. That partition is among those that have more to read. */
  async function findFailed(): Promise<Partition[]> {
    const failed = findBehind(admin, partitions).catch(() => []);
    return (await Promise.race([failed, delay(MAX_LOOKUP_MILLISECONDS, undefined, { ref: false })])) ?? [];
  }

  /** Ends the consumer. If an earlier consumer crashed at the same offset of a failed source, marks that source. */
  async function crash(error: unknown, failed: readonly Partition[]): Promise<void> {
    if (error instanceof NewLaneError) return crashed.abort(error);
    const known = failed.filter((each) => offsetOf(each) !== undefined);
    const again = known.filter((each) => crashedAt.get(nameOf(each)) === offsetOf(each));
    for (const each of known) crashedAt.set(nameOf(each), offsetOf(each) ?? 0);
    const fault = `Ingest repeatedly fails to read this offset: ${messageOf(error)}`;
    for (const { source } of again) await source.markFault(fault, false).catch(() => {});
    crashed.abort(error);
  }

  /** Sends the heartbeats of a lane. */
  async function hold(lane: number): Promise<void> {
    const read = partitions.filter(({ claim }) => claim !== null);
    const claims = read.flatMap(({ source }): SourceClaim[] => {
      const claim = source.claims.get(lane);
      return claim ? [claim] : [];
    });
    const pool = lanes.pools.get(lane);
    if (pool) await holdSources(pool, claims).catch(() => {});
  }

  /**
   * Records that the partitions are being read, and their offsets. Ends the consumer when it fetches nothing while
   * topics grow, and when a lane was added.
   */
  async function check(): Promise<void> {
    lanes.areCurrent().then(
      (areCurrent) => !areCurrent && crashed.abort(new NewLaneError('A lane was added.')),
      () => {},
    );
    for (const partition of partitions) partition.compare('due');
    await watch.check(admin).catch((error: unknown) => {
      if (error instanceof TopicsChangedError) crashed.abort(error);
    });
    const behind = await findBehind(admin, partitions).catch(() => null);
    if (!behind?.length || limit.isFull) lastSign = performance.now();
    if (performance.now() - lastSign >= STALL_MILLISECONDS) {
      await crash(new Error('the consumer is fetching nothing although topics are growing'), behind ?? []);
    }
    const claims = partitions.flatMap(({ claim }) => claim ?? []);
    const hints = claims.map(({ topic, partition, nextOffset }) => ({ topic, partition, offset: String(nextOffset) }));
    // This is not awaited, because a client that hangs never answers.
    consumer.commitOffsets(hints).catch(() => {});
    // The check is skipped while the broker is unreachable, because no record can arrive then.
    if (behind !== null) await Promise.race([Promise.all([...lanes.pools.keys()].map(hold)), patience()]);
    for (const partition of partitions) void partition.flush();
  }

  try {
    await admin.connect();
    const topics = await watch.prepare(admin);
    await consumer.connect();
    await consumer.subscribe({ topics, fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
      eachBatch: async ({ batch, isStale, resolveOffset }) => {
        const partition = isStale() ? undefined : partitionOf(batch.topic, batch.partition);
        if (partition) partition.end = Number(batch.highWatermark);
        if (partition?.add(batch.firstOffset(), batch.lastOffset(), batch.messages)) resolveOffset(batch.lastOffset());
        if (batch.offsetLag() === '0') await delay(END_PAUSE_MILLISECONDS);
      },
    });
    for (const ended = once(ending, 'abort'); !ending.aborted; ) {
      await Promise.race([ended, delay(CHECK_MILLISECONDS, undefined, { ref: false })]);
      if (!ending.aborted) await Promise.race([ended, check()]);
    }
    if (signal.aborted) return null;
    const cause = await unhideGroupError(crashed.signal.reason, config);
    const isChange = cause instanceof TopicsChangedError || cause instanceof NewLaneError;
    if (isChange || isOfGroup(cause)) throw cause;
    return messageOf(cause);
  } finally {
    assignment.abort();
    await running;
    const left = consumer
      .disconnect()
      .catch((error: unknown) => logger.warn({ error }, 'the consumer could not leave the group'));
    await Promise.race([left, delay(MAX_LEAVE_MILLISECONDS, undefined, { ref: false })]);
    await Promise.all([reader.close(), admin.disconnect().catch(() => {})]);
  }
}
