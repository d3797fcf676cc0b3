import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Kafka, logLevel, type Producer } from 'kafkajs';
import { drawFrom } from '../draw.ts';
import type { TopicRecord } from '../judge-lane.ts';
import { type Message, partitionOf, Topics } from '../topics.ts';
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

/** Publishes the records drawn from a seed to its own topics until it is stopped. */
export class Stream {
  readonly topics: Topics;
  /** The number of records that the broker has acknowledged. */
  acknowledged = 0;
  readonly #kafka: Kafka;
  readonly #producer: Producer;
  readonly #next: () => Message;
  readonly #draw: (below: number) => number;
  #isStopped = false;
  #publishing: Promise<void> = Promise.resolve();

  private constructor(topics: Topics, brokers: string[], seed: number) {
    this.topics = topics;
    this.#kafka = new Kafka({ brokers, clientId: 'milepost-soak', logLevel: logLevel.NOTHING, retry: RETRY });
    // A repeated request may publish its records twice. The second copies become duplicates. They do no harm, because
    // the test compares the results with the topics rather than with what was sent.
    this.#producer = this.#kafka.producer();
    this.#next = recordStream(seed, Date.now());
    this.#draw = drawFrom(seed + 1);
  }

  static async open(brokers: string[], seed: number): Promise<Stream> {
    const stream = new Stream(await Topics.create(brokers), brokers, seed);
    await stream.#producer.connect();
    return stream;
  }

  start(): void {
    this.#publishing = this.#publish();
    // `stop` throws this error.
    this.#publishing.catch(() => {});
  }

  async #publish(): Promise<void> {
    for (; !this.#isStopped; await delay(PAUSE_MILLISECONDS)) {
      const size = this.#draw(LARGE_BATCH_OF) === 0 ? LARGE_BATCH : 1 + this.#draw(MAX_BATCH);
      const records = Array.from({ length: size }, this.#next);
      const topicMessages = (['trips', 'drivers'] as const).map((topic) => ({
        topic: this.topics.names[topic],
        messages: records
          .filter((record) => record.topic === topic)
          .map(({ key, value, broken }) => ({
            key,
            value,
            partition: partitionOf(key),
            ...(broken ? { headers: BROKEN } : {}),
          })),
      }));
      await this.#producer.sendBatch({ topicMessages: topicMessages.filter(({ messages }) => messages.length > 0) });
      this.acknowledged += size;
    }
  }

  /** Stops publishing. If an error has already stopped it, throws that error. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#publishing;
  }

  /** Reads all records in the topics. */
  async read(): Promise<TopicRecord[]> {
    const names = Object.values(this.topics.names);
    const admin = this.#kafka.admin();
    await admin.connect();
    const missing = new Map<string, number>();
    for (const topic of names) {
      for (const { partition, high } of await admin.fetchTopicOffsets(topic)) {
        if (Number(high) > 0) missing.set(`${topic}/${partition}`, Number(high));
      }
    }
    await admin.disconnect();
    const consumer = this.#kafka.consumer({ groupId: `soak-${randomUUID()}` });
    await consumer.connect();
    await consumer.subscribe({ topics: names, fromBeginning: true });
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
  }

  async close(): Promise<void> {
    // This does not wait for a request in progress, which would be retried for minutes if there is no broker.
    this.#isStopped = true;
    await Promise.all([this.#producer.disconnect(), this.topics.disconnect()]);
  }
}
