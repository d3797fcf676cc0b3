import { setTimeout as delay } from 'node:timers/promises';
import { backoffMilliseconds, type Pool } from '@milepost/postgres';
import { type Logger, messageOf } from '@milepost/service';
import type { Admin, Kafka } from 'kafkajs';
import type { KafkaConfig } from '../config.ts';
import { createKafkaClient } from './client.ts';
import { registerCodecs } from './codecs.ts';
import { type ConsumerEnd, consume } from './consume.ts';
import { SourceGapError } from './errors.ts';
import { ensureTopics } from './topics.ts';

interface Options {
  pool: Pool;
  config: KafkaConfig;
  logger: Logger;
  signal: AbortSignal;
}

async function runOnce(kafka: Kafka, admin: Admin, { pool, config, logger, signal }: Options): Promise<ConsumerEnd> {
  await admin.connect();
  try {
    const created = await ensureTopics(admin, [config.tripsTopic, config.driversTopic]);
    if (created.length > 0) logger.info({ topics: created }, 'topics created');
    return await consume({ kafka, admin, pool, config, logger, signal });
  } finally {
    await admin.disconnect().catch(() => {});
  }
}

/**
 * Reads both topics into the event log until aborted. Whatever ends a consumer but a gap in its source (broker away at
 * the start, coordinator lost) is followed by a new one, for as long as it lasts.
 *
 * @throws SourceGapError
 */
export async function runKafkaIngest(options: Options): Promise<void> {
  const { config, logger, signal } = options;
  registerCodecs();
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const kafka = createKafkaClient(config, logger);
    try {
      if ((await runOnce(kafka, kafka.admin(), options)) === 'stopped') return;
      attempt = 0;
    } catch (error) {
      if (error instanceof SourceGapError) throw error;
      logger.error({ reason: messageOf(error) }, 'Kafka cannot be read: trying again');
    }
    await delay(backoffMilliseconds(attempt), undefined, { signal }).catch(() => {});
  }
}
