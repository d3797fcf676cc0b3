import { setTimeout as delay } from 'node:timers/promises';
import { createKafkaClient } from '@milepost/kafka/client';
import type { KafkaConfig } from '@milepost/kafka/config';
import { findingOf, isCoordinatorLoading, isOfGroup } from '@milepost/kafka/errors';
import { findGroupError } from '@milepost/kafka/find-group';
import { addKafkaFinding } from '@milepost/kafka/findings';
import { patchClient } from '@milepost/kafka/patch-client';
import type { IngestMetrics } from '@milepost/metrics/ingest';
import { backoffMilliseconds, type Pool, retryTransientErrors } from '@milepost/postgres';
import { type Logger, messageOf } from '@milepost/service';
import type { Consumer, Kafka } from 'kafkajs';
import { type IngestLanes, NewLaneError } from '../lanes.ts';
import { RecordReader } from '../records/record-reader.ts';
import { JointAppender } from './joint-appender.ts';
import { ConsumerSupervisor, type SupervisorOptions } from './supervisor.ts';
import { DEFAULT_COMPARISON_MILLISECONDS } from './topic-identity.ts';
import { NoTopicError, TopicsChangedError, TopicWatch } from './topic-watch.ts';

/** The number of heartbeats per session timeout. Up to nine heartbeats in a row may be lost. */
const HEARTBEATS = 10;
const FETCH_BYTES_PER_PARTITION = 2 * 1024 * 1024;
const FETCH_BYTES = 16 * 1024 * 1024;
/**
 * How long a fetch may wait, and how long the client may take to notice that a full queue has room again. The queue
 * must not become empty in the meantime. At 200 ms, it did, and standard trips were read a third more slowly. The price
 * is that an idle process uses 4.2% instead of 2.6% of a processor, and the broker 5.5% instead of 3.4%.
 */
const MAX_FETCH_MILLISECONDS = 40;
/** The maximum age of the list of partitions. New partitions in a topic are noticed within this time. */
const MAX_METADATA_MILLISECONDS = 10_000;
/**
 * Kafka replaces a lost broker after 9 s (`broker.session.timeout.ms`). If the lost broker is the coordinator, a
 * consumer that gives up earlier cannot leave the group. The next consumer would then have to wait until that
 * consumer's session ends.
 */
const LOST_BROKER_RETRY = { retries: 15, initialRetryTime: 200, maxRetryTime: 1_000 };
/** How long a consumer may take to leave the group. A consumer that hangs must not delay the next one. */
const MAX_LEAVE_MILLISECONDS = 5_000;

interface ConsumeOptions extends Pick<SupervisorOptions, 'crashedAt' | 'onFetched'> {
  kafka: Kafka;
  /** The pool of lane 0, which stores the findings about Kafka. */
  pool: Pool;
  /** Reads the list of lanes. */
  openLanes: () => Promise<IngestLanes>;
  config: KafkaConfig;
  metrics?: IngestMetrics | undefined;
  logger: Logger;
  signal: AbortSignal;
  /** Decides which topics are read. It is shared by a process's successive consumers. */
  watch?: TopicWatch;
  /** The time after which a partition's known record is compared again. */
  comparisonMilliseconds?: number;
}

/**
 * Runs one consumer of the group. The client hands over each fetch and continues immediately, but pauses while too many
 * bytes are waiting to be stored. PostgreSQL owns the offsets. The offsets committed to Kafka are only hints for tools
 * that show the lag.
 *
 * @returns null when the signal stopped the consumer; otherwise why a new consumer must replace it
 * @throws TopicsChangedError when other topics must be read, NewLaneError when a lane was added, and errors in the
 *   connection or the group. Exported for tests.
 */
export async function consume(options: ConsumeOptions): Promise<string | null> {
  const { kafka, openLanes, config, metrics, logger, signal } = options;
  const { comparisonMilliseconds = DEFAULT_COMPARISON_MILLISECONDS, watch = new TopicWatch(options) } = options;
  const opened = await retryTransientErrors(openLanes, {
    signal,
    onRetry: (error) =>
      logger.warn({ reason: messageOf(error) }, 'The database is not responding: reading the lanes again.'),
  });
  const appenders = new Map([...opened.pools].map(([lane, pool]) => [lane, new JointAppender(pool, metrics)]));
  const lanes = { ...opened, appenders, turns: new Map<string, Promise<unknown>>() };
  const admin = kafka.admin();
  const consumer = createConsumer(kafka, config, comparisonMilliseconds);
  const reader = new RecordReader();
  const supervisor = new ConsumerSupervisor({
    ...options,
    lanes,
    admin,
    consumer,
    reader,
    watch,
    comparisonMilliseconds,
  });
  try {
    const cause = await supervisor.run();
    if (signal.aborted) return null;
    const shown = await findGroupError(cause, config);
    if (shown instanceof TopicsChangedError || shown instanceof NewLaneError || isOfGroup(shown)) throw shown;
    return messageOf(shown);
  } finally {
    await supervisor.end();
    const left = consumer
      .disconnect()
      .catch((error: unknown) => logger.warn({ error }, 'The consumer could not leave the group.'));
    await Promise.race([left, delay(MAX_LEAVE_MILLISECONDS, undefined, { ref: false })]);
    await Promise.all([reader.close(), admin.disconnect().catch(() => {})]);
  }
}

function createConsumer(kafka: Kafka, config: KafkaConfig, comparisonMilliseconds: number): Consumer {
  return kafka.consumer({
    groupId: config.groupId,
    sessionTimeout: config.sessionTimeoutMilliseconds,
    rebalanceTimeout: 60_000,
    heartbeatInterval: config.sessionTimeoutMilliseconds / HEARTBEATS,
    maxBytesPerPartition: FETCH_BYTES_PER_PARTITION,
    maxBytes: FETCH_BYTES,
    maxWaitTimeInMs: MAX_FETCH_MILLISECONDS,
    // Each request for the list of partitions also starts a comparison of all known records. The requests must
    // therefore not be more frequent than the comparisons.
    metadataMaxAge: Math.max(MAX_METADATA_MILLISECONDS, comparisonMilliseconds),
    // A crash ends this consumer, because only the caller decides whether to start another one.
    retry: { ...LOST_BROKER_RETRY, restartOnFailure: async () => false },
  });
}

/** If a consumer has run for at least this long, its crash counts as a first crash. */
const MIN_STABLE_MILLISECONDS = 60_000;
const MAX_CRASH_DELAY_MILLISECONDS = 60_000;
/** After this many failures, a coordinator that is still loading counts as faulty. */
const MAX_LOADING_FAILURES = 10;

/**
 * Reads both topics into the event log until aborted. Whenever an error ends the consumer (unreachable broker, lost
 * coordinator, damaged batch), this function starts a new consumer. It never gives up, however long the error persists.
 *
 * @param backoff returns the delay after a number of failures or crashes
 */
export async function runKafkaIngest(
  options: Omit<ConsumeOptions, 'kafka' | 'crashedAt' | 'onFetched' | 'watch'>,
  backoff = backoffMilliseconds,
): Promise<void> {
  const { pool, config, logger, signal } = options;
  patchClient();
  const watch = new TopicWatch(options);
  let failures = 0;
  let crashes = 0;
  const crashedAt = new Map<string, number>();
  let isGone = false;
  /** Whether `retryAfter` has logged an error since the last successful fetch. */
  let isReported = false;
  const onFetched = () => {
    if (isGone) logger.warn('Kafka can be read again.');
    isGone = false;
    isReported = false;
    failures = 0;
  };

  /** Reports why reading from the brokers has failed. Returns the delay before the next attempt. */
  async function retryAfter(error: unknown): Promise<number> {
    // A new consumer can start reading immediately.
    if (error instanceof TopicsChangedError || error instanceof NewLaneError) {
      logger.info({ reason: messageOf(error) }, 'Creating a new consumer.');
      return 0;
    }
    const milliseconds = backoff(failures);
    failures += 1;
    if (isCoordinatorLoading(error) && failures < MAX_LOADING_FAILURES) {
      logger.info({ reason: messageOf(error) }, "The group's coordinator is loading: retrying.");
      return milliseconds;
    }
    isGone = true;
    // The causes were logged and stored when they were found.
    if (error instanceof NoTopicError) return milliseconds;
    const finding = findingOf(error, config);
    const level = isReported ? 'debug' : 'error';
    isReported = true;
    logger[level]({ reason: finding.message }, 'Cannot read from Kafka: retrying.');
    await addKafkaFinding(pool, finding).catch(() => {});
    return milliseconds;
  }

  while (!signal.aborted) {
    const kafka = createKafkaClient(config, logger);
    const started = performance.now();
    let milliseconds = 0;
    try {
      const reason = await consume({ ...options, kafka, crashedAt, onFetched, watch });
      if (reason === null) return;
      if (performance.now() - started >= MIN_STABLE_MILLISECONDS) crashes = 0;
      milliseconds = backoff(crashes, MAX_CRASH_DELAY_MILLISECONDS);
      logger.error({ reason, delay_milliseconds: milliseconds }, 'The consumer crashed: creating a new one.');
      crashes += 1;
      isGone = true;
    } catch (error) {
      // An error after the stop does not indicate a problem with Kafka.
      if (signal.aborted) return;
      milliseconds = await retryAfter(error);
    }
    await delay(milliseconds, undefined, { signal }).catch(() => {});
  }
}
