import type { KafkaConfig } from '@milepost/kafka/config';
import { createLogger } from '@milepost/service';
import { type AskEndOffsets, readEndOffsets } from '@milepost/status/end-offsets';

const RETRIES = { retries: 1, initialRetryTime: 200 };

/** Asks the brokers for the end offsets of topics. Each call opens a new connection, because calls are rare. */
export function askKafka(config: KafkaConfig, onRetry: (error: unknown) => void): AskEndOffsets {
  return async (topics) => {
    // The client is loaded on the first call, so that an installation without Kafka does not need memory for it.
    const { createKafkaClient } = await import('@milepost/kafka/client');
    const administration = createKafkaClient(config, createLogger('ops', 'silent')).admin({ retry: RETRIES });
    return await readEndOffsets(administration, topics, onRetry);
  };
}
