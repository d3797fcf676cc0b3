import type { KafkaConfig } from '@milepost/ingest/config';
import { type AskEndOffsets, readEndOffsets } from '@milepost/operations/status';
import { createLogger, type Logger, messageOf } from '@milepost/service';

const RETRIES = { retries: 1, initialRetryTime: 200 };

/** Asks the brokers where topics end, over a connection of its own each time: operators ask rarely. */
export function askKafka(config: KafkaConfig, logger: Logger): AskEndOffsets {
  return async (topics) => {
    // Loaded at the first question: the client takes memory that a Milepost without Kafka does not need.
    const { createKafkaClient } = await import('@milepost/ingest/kafka-client');
    const administration = createKafkaClient(config, createLogger('ops', 'silent')).admin({ retry: RETRIES });
    return await readEndOffsets(administration, topics, (error) => {
      logger.warn({ reason: messageOf(error) }, 'Kafka does not answer: lags of sources are unknown.');
    });
  };
}
