import { randomUUID } from 'node:crypto';
import { ensureTopics } from '@milepost/ingest/topics';
import type { SimulatedRecord } from '@milepost/sample-fleet';
import { ProduceAcks, Producer } from '@platformatic/kafka';
import { Kafka, logLevel } from 'kafkajs';
import { batches } from '../../../apps/cli/simulate/batches.ts';
import { local } from '../../support/services/local/index.ts';
import { childNamed } from './processor-time.ts';

/** Partitions of the trips topic: more than are consumed at the same time. */
export const PARTITIONS = 4;

/** Two topics of a benchmark's own. */
export interface Topics {
  trips: string;
  drivers: string;
}

/** A real Kafka broker on this machine, with what benchmarks do with it. */
export interface Broker {
  addresses: string[];
  /** Of its process, for its processor time; null where that cannot be told. */
  processId: number | null;
  /** Stores records of a topic, in as many requests as there are partitions. */
  send: (topic: string, records: readonly SimulatedRecord[]) => Promise<void>;
  makeTopics: () => Promise<Topics>;
  /** How many records of a topic a consumer group has committed: nothing was compacted, so offsets count them. */
  committed: (group: string, topic: string) => Promise<number>;
  stop: () => Promise<void>;
}

/**
 * Starts a broker of its own and a producer: idempotent, with acks of all replicas. It takes a third of the processor time
 * that kafkajs takes to send a record of 27 kB, which the same two processors would lack for what is measured.
 */
export async function startBroker(): Promise<Broker> {
  const { address, stop } = await local.kafka();
  const kafka = new Kafka({ brokers: address, clientId: 'bench', logLevel: logLevel.NOTHING });
  const producer = new Producer<Buffer, Buffer>({
    clientId: 'bench',
    bootstrapBrokers: address,
    idempotent: true,
    acks: ProduceAcks.ALL,
    autocreateTopics: false,
  });
  const admin = kafka.admin();
  try {
    await admin.connect();
    // The first question about a group makes the broker's own topic for groups: no measured consumer shall wait for it.
    await admin.describeGroups(['warm-up']);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    addresses: address,
    processId: childNamed('java'),
    send: async (topic, records) => {
      const messages = records.map(({ key, value }) => ({ topic, key: Buffer.from(key), value: Buffer.from(value) }));
      await producer.send({ messages });
    },
    makeTopics: async () => {
      const id = randomUUID().slice(0, 8);
      const topics = { trips: `trips-${id}`, drivers: `drivers-${id}` };
      await admin.createTopics({
        waitForLeaders: false,
        topics: [{ topic: topics.trips, numPartitions: PARTITIONS }],
      });
      await ensureTopics(admin, [topics.drivers]);
      for (;;) if ((await admin.fetchTopicMetadata({ topics: [topics.trips] }).catch(() => null)) !== null) break;
      return topics;
    },
    committed: async (groupId, topic) => {
      const answers = await admin.fetchOffsets({ groupId, topics: [topic] });
      // -1 where nothing is committed yet.
      return answers
        .flatMap(({ partitions }) => partitions)
        .reduce((sum, { offset }) => sum + Math.max(0, Number(offset)), 0);
    },
    stop: async () => {
      await Promise.all([producer.close(), admin.disconnect()]);
      await stop();
    },
  };
}

interface Published {
  records: number;
  /** Bytes of JSON a record, on average. */
  bytesPerRecord: number;
}

/** Publishes records in their order, in requests below a megabyte; each driver's stay in order. */
export async function publish(broker: Broker, topics: Topics, records: Iterable<SimulatedRecord>): Promise<Published> {
  let count = 0;
  let bytes = 0;
  for (const batch of batches(records)) {
    await broker.send(topics.trips, batch);
    count += batch.length;
    for (const { value } of batch) bytes += Buffer.byteLength(value);
  }
  return { records: count, bytesPerRecord: bytes / count };
}
