import { randomUUID } from 'node:crypto';
import type { PipelineRecord } from '@milepost/domain/vocabulary';
import {
  type Admin,
  type ITopicConfig,
  Kafka,
  logLevel,
  type Producer,
  type ProducerConfig,
  type ProducerRecord,
} from 'kafkajs';
import { expect } from 'vitest';
import type { TopicRecord } from './judge-lane.ts';

const PARTITIONS = 3;
const MAX_MESSAGE_BYTES = 20 * 1024 * 1024;
/** Less than the broker's limit for a whole batch. */
const MAX_SEND_BYTES = 4 * 1024 * 1024;

/** A message to publish. `broken` marks a message that breaks a rule. */
export interface Message {
  topic: 'trips' | 'drivers';
  key: string;
  value: string | Buffer | null;
  broken: boolean;
}

/** Returns the message with which the pipeline publishes a record. */
export function toMessage(record: PipelineRecord, key = 'one'): Message {
  const topic = record.kind === 'driver.profile' ? 'drivers' : 'trips';
  return { topic, key, value: JSON.stringify(record), broken: false };
}

/** Runs work on a connection of an administrator. */
export async function asAdministrator<Result>(kafka: Kafka, work: (admin: Admin) => Promise<Result>): Promise<Result> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

/** Publishes records over a connection of their own. */
export async function sendTo(kafka: Kafka, record: ProducerRecord, options?: ProducerConfig): Promise<void> {
  const producer = kafka.producer(options);
  await producer.connect();
  try {
    await producer.send(record);
  } finally {
    await producer.disconnect();
  }
}

/** Creates the missing topics and waits until the broker serves all topics. */
export async function createTopics(kafka: Kafka, topics: ITopicConfig[]): Promise<void> {
  await asAdministrator(kafka, async (admin) => {
    // On a busy machine, a broker that has just started does not yet know its controller, and the client gives up
    // immediately.
    await expect.poll(async () => (await admin.describeCluster()).controller).not.toBeNull();
    // The client's own wait fails if the broker does not yet have the topic.
    await admin.createTopics({ topics, waitForLeaders: false });
    const names = topics.map(({ topic }) => topic);
    const isServed = async () => (await admin.fetchTopicMetadata({ topics: names }).catch(() => null)) !== null;
    await expect.poll(isServed).toBe(true);
  });
}

/**
 * Waits for a group's coordinator. Until the first request about the group, the broker does not load the coordinator
 * and rejects consumers. The first request about any group also creates the `__consumer_offsets` topic.
 */
export async function untilCoordinated(kafka: Kafka, groupId: string): Promise<void> {
  await asAdministrator(kafka, async (admin) => {
    await expect.poll(() => admin.describeGroups([groupId]).catch(() => null)).not.toBeNull();
  });
}

/** A test's own two topics, and all messages that have been published to them, by partition and offset. */
export class Topics {
  readonly names: { trips: string; drivers: string };
  readonly groupId: string;
  readonly kafka: Kafka;
  readonly #producer: Producer;
  readonly #published = new Map<string, Message[]>();

  private constructor(brokers: string[]) {
    const id = randomUUID().slice(0, 8);
    this.names = { trips: `trips-${id}`, drivers: `drivers-${id}` };
    this.groupId = `milepost-${id}`;
    this.kafka = new Kafka({ brokers, clientId: 'milepost-test', logLevel: logLevel.NOTHING });
    // A retried request must not publish anything twice, because the tests count the messages.
    this.#producer = this.kafka.producer({ idempotent: true, maxInFlightRequests: 1 });
  }

  static async create(brokers: string[]): Promise<Topics> {
    const topics = new Topics(brokers);
    await topics.make();
    await topics.#producer.connect();
    return topics;
  }

  /** Creates the two topics if they are missing, and waits until the broker serves them and their group. */
  async make(): Promise<void> {
    const names = Object.values(this.names);
    const configEntries = [{ name: 'max.message.bytes', value: String(MAX_MESSAGE_BYTES) }];
    await createTopics(
      this.kafka,
      names.map((topic) => ({ topic, numPartitions: PARTITIONS, configEntries })),
    );
    await untilCoordinated(this.kafka, this.groupId);
  }

  /** The number of published messages. */
  get size(): number {
    return [...this.#published.values()].reduce((sum, messages) => sum + messages.length, 0);
  }

  /** All published messages with their partitions and offsets. The text is null for a message that breaks a rule. */
  get records(): TopicRecord[] {
    return [...this.#published].flatMap(([source, messages]) =>
      messages.map((message, offset) => ({ source, offset, text: textOf(message) })),
    );
  }

  /** The settings that make the processes read these topics. */
  settings(brokers: string[]): Record<string, string> {
    return {
      KAFKA_BROKERS: brokers.join(','),
      KAFKA_TRIPS_TOPIC: this.names.trips,
      KAFKA_DRIVERS_TOPIC: this.names.drivers,
      KAFKA_GROUP_ID: this.groupId,
      KAFKA_SESSION_TIMEOUT_MILLISECONDS: '6000',
    };
  }

  /** Publishes messages in order. Messages with the same key go to the same partition. */
  async publish(messages: readonly Message[]): Promise<void> {
    let batch: Message[] = [];
    let bytes = 0;
    for (const message of messages) {
      const size = message.value?.length ?? 0;
      if (batch.length > 0 && bytes + size > MAX_SEND_BYTES) {
        await this.#send(batch);
        batch = [];
        bytes = 0;
      }
      batch.push(message);
      bytes += size;
    }
    if (batch.length > 0) await this.#send(batch);
  }

  async #send(messages: readonly Message[]): Promise<void> {
    for (const topic of ['trips', 'drivers'] as const) {
      const own = messages.filter((message) => message.topic === topic);
      if (own.length === 0) continue;
      await this.#producer.send({
        topic: this.names[topic],
        messages: own.map(({ key, value }) => ({ key, value, partition: partitionOf(key) })),
      });
      for (const message of own) {
        const source = `${this.names[topic]}/${partitionOf(message.key)}`;
        this.#published.set(source, [...(this.#published.get(source) ?? []), message]);
      }
    }
  }

  /** Deletes the trips topic, and creates it again once the promise, if any, is settled. */
  async replaceTrips(deleted?: Promise<unknown>): Promise<void> {
    await asAdministrator(this.kafka, async (admin) => {
      await admin.deleteTopics({ topics: [this.names.trips] });
      await expect.poll(async () => (await admin.listTopics()).includes(this.names.trips)).toBe(false);
    });
    await deleted;
    await this.make();
  }

  /** Keeps the topics, because the broker is about to be stopped. */
  async disconnect(): Promise<void> {
    await this.#producer.disconnect();
  }

  async close(): Promise<void> {
    await this.disconnect();
    await asAdministrator(this.kafka, async (admin) => {
      await admin.deleteTopics({ topics: Object.values(this.names) });
    });
  }
}

function textOf(message: Message): string | null {
  return message.broken || message.value === null ? null : message.value.toString();
}

/** Returns the partition of a key. */
export function partitionOf(key: string): number {
  let sum = 0;
  for (const character of key) sum += character.codePointAt(0) ?? 0;
  return sum % PARTITIONS;
}
