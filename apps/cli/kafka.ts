import { type KafkaConfig, readKafkaConfig } from '@milepost/ingest/config';
import { createKafkaClient } from '@milepost/ingest/kafka-client';
import { createLogger } from '@milepost/service';
import type { Kafka } from 'kafkajs';

/** A client of the brokers that the settings name, configured as the ingest process is, and silent. Throws SettingError. */
export function kafkaClient(): { kafka: Kafka; config: KafkaConfig } {
  const config = readKafkaConfig();
  return { kafka: createKafkaClient(config, createLogger('cli', 'silent')), config };
}
