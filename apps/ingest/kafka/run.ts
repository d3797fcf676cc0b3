import { setTimeout as delay } from 'node:timers/promises';
import { backoffMilliseconds, type Pool } from '@milepost/postgres';
import { type Logger, messageOf } from '@milepost/service';
import type { Admin, Kafka } from 'kafkajs';
import type { KafkaConfig } from '../config.ts';
import { createKafkaClient } from './client.ts';
import { registerCodecs } from './codecs.ts';
import { type ConsumeOptions, type ConsumerEnd, consume } from './consume.ts';
import { ensureTopics } from './topics.ts';

/** A consumer that has lived so long was sound: what it crashes of is new. */
const SOUND_MILLISECONDS = 60_000;
const LONGEST_CRASH_DELAY_MILLISECONDS = 60_000;

interface Options {
  pool: Pool;
  config: KafkaConfig;
  logger: Logger;
  signal: AbortSignal;
}

async function runOnce(
  kafka: Kafka,
  admin: Admin,
  options: Omit<ConsumeOptions, 'kafka' | 'admin'>,
): Promise<ConsumerEnd> {
  const { config, logger } = options;
  await admin.connect();
  try {
    const created = await ensureTopics(admin, [config.tripsTopic, config.driversTopic]);
    if (created.length > 0) logger.info({ topics: created }, 'topics created');
    return await consume({ ...options, kafka, admin });
  } finally {
    await admin.disconnect().catch(() => {});
  }
}

/**
 * Reads both topics into the event log until aborted. Whatever ends a consumer (broker away, coordinator lost, a batch that
 * cannot be unpacked) is followed by a new one, for as long as it lasts.
 */
export async function runKafkaIngest(options: Options): Promise<void> {
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
      const end = await runOnce(kafka, kafka.admin(), { ...options, crashes, onFetched });
      if (end.how === 'stopped') return;
      if (end.how === 'stalled' || performance.now() - started >= SOUND_MILLISECONDS) crashes = 0;
      milliseconds = backoffMilliseconds(crashes, LONGEST_CRASH_DELAY_MILLISECONDS);
      if (end.how === 'crashed') {
        const { reason } = end;
        logger.error({ reason, delay_milliseconds: milliseconds }, 'consumer crashed: building a new one');
        crashes += 1;
        isGone = true;
      }
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
