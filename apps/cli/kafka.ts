import { createLogger, type LogLevel } from '@milepost/service';
import type { Kafka } from 'kafkajs';
import { type KafkaConfig, readKafkaConfig } from '../ingest/config.ts';
import { createKafkaClient } from '../ingest/kafka/client.ts';

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
