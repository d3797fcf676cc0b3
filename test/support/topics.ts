import { randomUUID } from 'node:crypto';
import type { Pool } from '@milepost/postgres';
import { type ITopicConfig, Kafka, logLevel, type Producer } from 'kafkajs';
import { expect } from 'vitest';
import type { Model } from './model/index.ts';

const PARTITIONS = 3;
const LARGEST_MESSAGE_BYTES = 20 * 1024 * 1024;
/** One request holds less than the broker takes, whose limit is for a batch of messages as a whole. */
const LARGEST_SEND_BYTES = 4 * 1024 * 1024;

/** A message to publish. `broken`: the test knows that it breaks a rule. */
export interface Message {
  topic: 'trips' | 'drivers';
  key: string;
  value: string | Buffer | null;
  broken: boolean;
}

/** Makes the topics that do not exist, and waits until the broker serves all. */
export async function createTopics(kafka: Kafka, topics: ITopicConfig[]): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  // The client's own waiting fails when the broker has not heard of the topic yet.
  await admin.createTopics({ topics, waitForLeaders: false });
  const names = topics.map(({ topic }) => topic);
  const isServed = async () => (await admin.fetchTopicMetadata({ topics: names }).catch(() => null)) !== null;
  await expect.poll(isServed, { timeout: 30_000 }).toBe(true);
  await admin.disconnect();
}

/** Two topics of a test's own, and everything published to them, by partition and offset. */
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
    // A request that is sent again must not publish twice: the tests count what they published.
    this.#producer = this.kafka.producer({ idempotent: true, maxInFlightRequests: 1 });
  }

  static async create(brokers: string[]): Promise<Topics> {
    const topics = new Topics(brokers);
    await topics.make();
    await topics.#producer.connect();
    return topics;
  }

  /** Makes both topics, or those of them that do not exist, and waits until the broker serves them and their group. */
  async make(): Promise<void> {
    const names = Object.values(this.names);
    const configEntries = [{ name: 'max.message.bytes', value: String(LARGEST_MESSAGE_BYTES) }];
    await createTopics(
      this.kafka,
      names.map((topic) => ({ topic, numPartitions: PARTITIONS, configEntries })),
    );
    // The first question about a group makes the broker load its coordinator, which refuses consumers meanwhile.
    const admin = this.kafka.admin();
    await admin.connect();
    const hasCoordinator = async () =>
      await admin.describeGroups([this.groupId]).then(
        () => true,
        () => false,
      );
    await expect.poll(hasCoordinator, { timeout: 30_000 }).toBe(true);
    await admin.disconnect();
  }

  /** How many messages were published in all. */
  get size(): number {
    return [...this.#published.values()].reduce((sum, messages) => sum + messages.length, 0);
  }

  /** The settings with which the processes read these topics. */
  settings(brokers: string[]): Record<string, string> {
    return {
      KAFKA_BROKERS: brokers.join(','),
      KAFKA_TRIPS_TOPIC: this.names.trips,
      KAFKA_DRIVERS_TOPIC: this.names.drivers,
      KAFKA_GROUP_ID: this.groupId,
      KAFKA_SESSION_TIMEOUT_MILLISECONDS: '6000',
    };
  }

  /** Publishes messages in order; a key's messages go to one partition. */
  async publish(messages: readonly Message[]): Promise<void> {
    let batch: Message[] = [];
    let bytes = 0;
    for (const message of messages) {
      const size = message.value?.length ?? 0;
      if (batch.length > 0 && bytes + size > LARGEST_SEND_BYTES) {
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

  /**
   * Gives all that was published to a model, in the order in which the log has it: what was not stored comes just before
   * the next stored event of its partition. Every fate must be the one that the log decided on.
   */
  async replayInto(model: Model, owner: Pool): Promise<void> {
    const { rows } = await owner.query<{ source: string; source_offset: number }>(
      `SELECT topic || '/' || partition AS source, source_offset FROM log.stored_event JOIN log.source USING (source_id)
       ORDER BY position`,
    );
    const next = new Map<string, number>();
    const deliverBefore = (source: string, end: number) => {
      const messages = this.#published.get(source) ?? [];
      for (let offset = next.get(source) ?? 0; offset < end; offset += 1) {
        const fate = model.deliver(textOf(messages[offset]));
        expect(fate, `${source} at ${offset}`).not.toMatch(/effective|late/);
      }
      next.set(source, end);
    };
    for (const { source, source_offset } of rows) {
      deliverBefore(source, source_offset);
      const fate = model.deliver(textOf(this.#published.get(source)?.[source_offset]));
      expect(fate, `${source} at ${source_offset}`).toMatch(/effective|late/);
      next.set(source, source_offset + 1);
    }
    for (const [source, messages] of this.#published) deliverBefore(source, messages.length);
  }

  async close(): Promise<void> {
    await this.#producer.disconnect();
    const admin = this.kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: Object.values(this.names) });
    await admin.disconnect();
  }
}

function textOf(message: Message | undefined): string | null {
  if (!message) throw new Error('The log holds a record that nobody published.');
  return message.broken || message.value === null ? null : message.value.toString();
}

function partitionOf(key: string): number {
  let sum = 0;
  for (const character of key) sum += character.codePointAt(0) ?? 0;
  return sum % PARTITIONS;
}
