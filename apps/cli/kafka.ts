import { type KafkaConfig, readKafkaConfig } from '@milepost/ingest/config';
import { createKafkaClient } from '@milepost/ingest/kafka-client';
import { createLogger, type LogLevel } from '@milepost/service';
import type { Kafka } from 'kafkajs';

/**
 * A client of the brokers that the settings name, configured as the ingest process is.
 *
 * @param level what of the client's own talk goes to stderr
 * @throws SettingError
 */
export function kafkaClient(level: LogLevel): { kafka: Kafka; config: KafkaConfig } {
  const config = readKafkaConfig();
  return { kafka: createKafkaClient(config, createLogger('cli', level)), config };
}
