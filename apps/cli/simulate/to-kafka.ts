import { ensureTopics } from '@milepost/ingest/topics';
import type { SimulatedRecord } from '@milepost/sample-fleet';
import type { Kafka } from 'kafkajs';
import { sentenceOf } from '../failure.ts';
import { kafkaClient } from '../kafka.ts';
import { batches } from './batches.ts';

const ALL_REPLICAS = -1;

async function makeTopics(kafka: Kafka, topics: readonly string[]): Promise<void> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    await ensureTopics(admin, topics);
  } finally {
    await admin.disconnect();
  }
}

/** Publishes records in their order, one request at a time, so that each driver's stay in order. */
export async function writeToKafka(records: Iterable<SimulatedRecord>, signal: AbortSignal): Promise<void> {
  const { kafka, config } = kafkaClient();
  const topics = { trips: config.tripsTopic, drivers: config.driversTopic };
  // A request that one partition of many refuses is sent again whole: without idempotence the others would hold it twice.
  const producer = kafka.producer({ allowAutoTopicCreation: false, idempotent: true, maxInFlightRequests: 1 });
  try {
    await makeTopics(kafka, Object.values(topics));
    await producer.connect();
    for (const batch of batches(records)) {
      signal.throwIfAborted();
      const messages = batch.map(({ key, value }) => ({ key, value }));
      const topic = topics[batch[0]?.topic ?? 'trips'];
      await producer.send({ topic, messages, acks: ALL_REPLICAS });
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new Error(`Kafka at ${config.brokers.join(', ')} did not take the records: ${sentenceOf(error)}`, {
      cause: error,
    });
  } finally {
    await producer.disconnect();
  }
}
