import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import { drawFrom } from '../draw.ts';
import type { TopicRecord } from '../judge-lane.ts';
import { asAdministrator, partitionOf, Topics } from '../topics.ts';
import { recordStream } from './records.ts';

const PAUSE_MILLISECONDS = 75;
const MAX_BATCH = 12;
/** One in this many batches is large, as after an interruption of the pipeline. */
const LARGE_BATCH_OF = 60;
const LARGE_BATCH = 250;
/** Marks a broken record. The product's decoder, which this process also uses, discards all other headers. */
const BROKEN = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' };
/** The test kills the broker, so requests are retried for longer than the broker stays down. */
const RETRY = { retries: 1_000, initialRetryTime: 100, maxRetryTime: 500 };

/** Opens topics. Between the calls to `start` and `stop`, records drawn from a seed are published to them. */
export async function openStream(brokers: string[], seed: number) {
  const topics = await Topics.create(brokers);
  const kafka = new Kafka({ brokers, clientId: 'milepost-soak', logLevel: logLevel.NOTHING, retry: RETRY });
  // A repeated request may publish its records twice. The second copies become duplicates. They do no harm, because the
  // test compares the results with the topics rather than with what was sent.
  const producer = kafka.producer();
  const next = recordStream(seed, Date.now());
  const draw = drawFrom(seed + 1);
  let acknowledged = 0;
  let isStopped = false;
  let publishing: Promise<void> = Promise.resolve();
  await producer.connect();

  async function publish(): Promise<void> {
    for (; !isStopped; await delay(PAUSE_MILLISECONDS)) {
      const size = draw(LARGE_BATCH_OF) === 0 ? LARGE_BATCH : 1 + draw(MAX_BATCH);
      const records = Array.from({ length: size }, next);
      const topicMessages = (['trips', 'drivers'] as const).map((topic) => ({
        topic: topics.names[topic],
        messages: records
          .filter((record) => record.topic === topic)
          .map(({ key, value, broken }) => ({
            key,
            value,
            partition: partitionOf(key),
            ...(broken ? { headers: BROKEN } : {}),
          })),
      }));
      await producer.sendBatch({ topicMessages: topicMessages.filter(({ messages }) => messages.length > 0) });
      acknowledged += size;
    }
  }

  /** Returns the number of records in each partition that is not empty. */
  async function sizes(): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for (const topic of Object.values(topics.names)) {
      const partitions = await asAdministrator(kafka, async (admin) => await admin.fetchTopicOffsets(topic));
      for (const { partition, high } of partitions) {
        if (Number(high) > 0) found.set(`${topic}/${partition}`, Number(high));
      }
    }
    return found;
  }

  return {
    topics,
    /** Returns the number of records that the broker has acknowledged. */
    acknowledged: () => acknowledged,
    start: () => {
      publishing = publish();
      // `stop` throws this error.
      publishing.catch(() => {});
    },
    /** Stops publishing. If an error has already stopped it, throws that error. */
    stop: async () => {
      isStopped = true;
      await publishing;
    },
    /** Reads all records in the topics. */
    read: async () => {
      const missing = await sizes();
      const consumer = kafka.consumer({ groupId: `soak-${randomUUID()}` });
      await consumer.connect();
      await consumer.subscribe({ topics: Object.values(topics.names), fromBeginning: true });
      const records: TopicRecord[] = [];
      await new Promise<void>((resolve, reject) => {
        consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
        const eachMessage: Parameters<typeof consumer.run>[0] = {
          autoCommit: false,
          eachMessage: async ({ topic, partition, message }) => {
            const source = `${topic}/${partition}`;
            const text = message.headers?.['traceparent'] ? null : (message.value?.toString() ?? null);
            const offset = Number(message.offset);
            records.push({ source, offset, text });
            if (offset + 1 >= (missing.get(source) ?? 0)) missing.delete(source);
            if (missing.size === 0) resolve();
          },
        };
        consumer.run(eachMessage).catch(reject);
      });
      await consumer.disconnect();
      return records;
    },
    close: async () => {
      // This does not wait for a request in progress, which would be retried for minutes if there is no broker.
      isStopped = true;
      await Promise.all([producer.disconnect(), topics.disconnect()]);
    },
  };
}
