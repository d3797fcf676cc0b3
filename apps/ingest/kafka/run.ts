import { setTimeout as delay } from 'node:timers/promises';
import { backoffMilliseconds } from '@milepost/postgres';
import { messageOf } from '@milepost/service';
import { createKafkaClient } from './client.ts';
import { registerCodecs } from './codecs.ts';
import { type ConsumeOptions, consume } from './consume.ts';

/** A consumer that has lived so long was sound: what it crashes of is new. */
const SOUND_MILLISECONDS = 60_000;
const LONGEST_CRASH_DELAY_MILLISECONDS = 60_000;

/**
 * Reads both topics into the event log until aborted. Whatever ends a consumer (broker away, coordinator lost, a batch that
 * cannot be unpacked) is followed by a new one, for as long as it lasts.
 */
export async function runKafkaIngest(options: Omit<ConsumeOptions, 'kafka' | 'crashes' | 'onFetched'>): Promise<void> {
  const { config, logger, signal } = options;
  registerCodecs();
  let failures = 0;
  let crashes = 0;
  let isGone = false;
  const onFetched = () => {
    if (isGone) logger.warn('Kafka is read again');
    isGone = false;
    failures = 0;
  };
  while (!signal.aborted) {
    const kafka = createKafkaClient(config, logger);
    const started = performance.now();
    let milliseconds = 0;
    try {
      const reason = await consume({ ...options, kafka, crashes, onFetched });
      if (reason === null) return;
      if (performance.now() - started >= SOUND_MILLISECONDS) crashes = 0;
      milliseconds = backoffMilliseconds(crashes, LONGEST_CRASH_DELAY_MILLISECONDS);
      logger.error({ reason, delay_milliseconds: milliseconds }, 'consumer crashed: building a new one');
      crashes += 1;
      isGone = true;
    } catch (error) {
      const level = failures === 0 ? 'error' : 'debug';
      logger[level]({ reason: messageOf(error) }, 'Kafka cannot be read: trying again until it can');
      isGone = true;
      milliseconds = backoffMilliseconds(failures);
      failures += 1;
    }
    await delay(milliseconds, undefined, { signal }).catch(() => {});
  }
}
