import { createKafkaClient } from '@milepost/kafka/client';
import { type KafkaConfig, readKafkaConfig } from '@milepost/kafka/config';
import { createLogger } from '@milepost/service';
import type { Kafka } from 'kafkajs';

/** Creates a client with the settings of the ingest process. It logs nothing. Throws SettingError. */
export function kafkaClient(): { kafka: Kafka; config: KafkaConfig } {
  const config = readKafkaConfig();
  return { kafka: createKafkaClient(config, createLogger('cli', 'silent')), config };
}
