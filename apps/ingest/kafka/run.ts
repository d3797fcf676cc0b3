import { setTimeout as delay } from 'node:timers/promises';
import { addKafkaFinding } from '@milepost/event-log';
import { createKafkaClient, findingOf, isCoordinatorLoading, patchClient } from '@milepost/kafka';
import { backoffMilliseconds } from '@milepost/postgres';
import { messageOf } from '@milepost/service';
import { NewLaneError } from '../lanes.ts';
import { type ConsumeOptions, consume } from './consume.ts';
import { NoTopicError, TopicsChangedError, TopicWatch } from './topic-watch.ts';

/** If a consumer has run for at least this long, its crash counts as a first crash. */
const MIN_STABLE_MILLISECONDS = 60_000;
const MAX_CRASH_DELAY_MILLISECONDS = 60_000;
/** After this many failures, a coordinator that is still loading counts as faulty. */
const MAX_LOADING_FAILURES = 10;

/**
 * Reads both topics into the event log until aborted. Whenever an error ends the consumer (unreachable broker, lost
 * coordinator, damaged batch), this function starts a new consumer, however long the error persists.
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
  /** Whether an error has been logged since the last successful fetch, not counting a coordinator that is loading. */
  let isReported = false;
  const onFetched = () => {
    if (isGone) logger.warn('Kafka can be read again');
    isGone = false;
    isReported = false;
    failures = 0;
  };

  /** Reports why reading from the brokers has failed. Returns the delay before the next attempt. */
  async function retryAfter(error: unknown): Promise<number> {
    // A new consumer can start reading immediately.
    if (error instanceof TopicsChangedError || error instanceof NewLaneError) {
      logger.info({ reason: messageOf(error) }, 'creating a new consumer');
      return 0;
    }
    const milliseconds = backoff(failures);
    failures += 1;
    if (isCoordinatorLoading(error) && failures < MAX_LOADING_FAILURES) {
      logger.info({ reason: messageOf(error) }, "the group's coordinator is loading: retrying");
      return milliseconds;
    }
    isGone = true;
    // The causes were logged and stored when they were found.
    if (error instanceof NoTopicError) return milliseconds;
    const finding = findingOf(error, config);
    const level = isReported ? 'debug' : 'error';
    isReported = true;
    logger[level]({ reason: finding.message }, 'Cannot read from Kafka: retrying');
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
      logger.error({ reason, delay_milliseconds: milliseconds }, 'the consumer crashed: creating a new one');
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
