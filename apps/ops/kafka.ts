import type { KafkaConfig } from '@milepost/ingest/config';
import { type AskEndOffsets, readEndOffsets } from '@milepost/operations/end-offsets';
import { createLogger } from '@milepost/service';

const RETRIES = { retries: 1, initialRetryTime: 200 };

/** Asks the brokers where topics end, over a connection of its own each time: operators ask rarely. */
export function askKafka(config: KafkaConfig, onRetry: (error: unknown) => void): AskEndOffsets {
  return async (topics) => {
    // Loaded at the first question: the client takes memory that a Milepost without Kafka does not need.
    const { createKafkaClient } = await import('@milepost/ingest/kafka-client');
    const administration = createKafkaClient(config, createLogger('ops', 'silent')).admin({ retry: RETRIES });
    return await readEndOffsets(administration, topics, onRetry);
  };
}
