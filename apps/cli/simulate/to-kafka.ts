import { prepareTopics } from '@milepost/kafka/topics';
import type { SimulatedRecord } from '@milepost/sample-fleet';
import type { Kafka } from 'kafkajs';
import { sentenceOf } from '../failure.ts';
import { kafkaClient } from '../kafka.ts';
import { batches } from './batches.ts';

async function createTopics(kafka: Kafka, topics: readonly string[]): Promise<void> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    const { findings } = await prepareTopics(admin, topics, 'The publisher', 'WRITE');
    if (findings.length > 0) throw new Error(findings.map(({ message }) => message).join(' '));
  } finally {
    await admin.disconnect();
  }
}

/** Publishes records in order, one request at a time, so that each driver's records stay in order. */
export async function writeToKafka(records: Iterable<SimulatedRecord>, signal: AbortSignal): Promise<void> {
  const { kafka, config } = kafkaClient();
  const topics = { trips: config.tripsTopic, drivers: config.driversTopic };
  // If one partition refuses a request, the client repeats the whole request. Without idempotence, the other partitions
  // would store their records twice.
  const producer = kafka.producer({ allowAutoTopicCreation: false, idempotent: true, maxInFlightRequests: 1 });
  try {
    await createTopics(kafka, Object.values(topics));
    await producer.connect();
    for (const batch of batches(records)) {
      signal.throwIfAborted();
      const messages = batch.map(({ key, value }) => ({ key, value }));
      await producer.send({ topic: topics[batch[0]?.topic ?? 'trips'], messages });
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new Error(`Kafka at ${config.brokers.join(', ')} did not accept the records: ${sentenceOf(error)}`, {
      cause: error,
    });
  } finally {
    await producer.disconnect();
  }
}
