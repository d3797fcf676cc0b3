import { createKafkaClient } from '@milepost/kafka/client';
import { type KafkaConfig, readKafkaConfig } from '@milepost/kafka/config';
import { createLogger } from '@milepost/service';
import type { Kafka } from 'kafkajs';

/** Creates a client that has the ingest process's settings and does not log. Throws SettingError. */
export function kafkaClient(): { kafka: Kafka; config: KafkaConfig } {
  const config = readKafkaConfig();
  return { kafka: createKafkaClient(config, createLogger('cli', 'silent')), config };
}
