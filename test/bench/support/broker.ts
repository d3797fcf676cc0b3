import { randomUUID } from 'node:crypto';
import { prepareTopics } from '@milepost/kafka/topics';
import type { SimulatedRecord } from '@milepost/sample-fleet';
import { ProduceAcks, Producer } from '@platformatic/kafka';
import { Kafka, logLevel } from 'kafkajs';
import { batches } from '../../../apps/cli/simulate/batches.ts';
import { startLocalKafka } from '../../support/services/local/kafka.ts';

/** The number of partitions in the trips topic. */
export const PARTITIONS = 4;

/** The two topics of one benchmark. */
export interface Topics {
  trips: string;
  drivers: string;
}

/** A real Kafka broker on this machine, with the functions that benchmarks need. */
export type Broker = Awaited<ReturnType<typeof startBroker>>;

/**
 * Starts a new broker, and an idempotent producer that waits for all replicas. To send a record of 27 kB, this producer
 * needs a third of the processor time that kafkajs needs. This matters, because the measured processes use the same two
 * processors.
 */
export async function startBroker() {
  const { address, pid, stop } = await startLocalKafka();
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
    // On the first request about a consumer group, the broker creates its offsets topic. That work must not delay a
    // measured consumer.
    await admin.describeGroups(['warm-up']);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    addresses: address,
    /** The id of the broker's process, whose processor time is measured. */
    processId: pid,
    /** Sends records to a topic, in one request per partition. */
    send: async (topic: string, records: readonly SimulatedRecord[]) => {
      const messages = records.map(({ key, value }) => ({ topic, key: Buffer.from(key), value: Buffer.from(value) }));
      await producer.send({ messages });
    },
    makeTopics: async (): Promise<Topics> => {
      const id = randomUUID().slice(0, 8);
      const topics = { trips: `trips-${id}`, drivers: `drivers-${id}` };
      await admin.createTopics({
        waitForLeaders: false,
        topics: [{ topic: topics.trips, numPartitions: PARTITIONS }],
      });
      await prepareTopics(admin, [topics.drivers], 'The benchmark', 'WRITE');
      for (;;) if ((await admin.fetchTopicMetadata({ topics: [topics.trips] }).catch(() => null)) !== null) break;
      return topics;
    },
    /**
     * Returns how many of a topic's records a consumer group has committed. Without compaction, this is the sum of the
     * offsets.
     */
    committed: async (groupId: string, topic: string) => {
      const answers = await admin.fetchOffsets({ groupId, topics: [topic] });
      // The offset is -1 if nothing has been committed yet.
      return answers
        .flatMap(({ partitions }) => partitions)
        .reduce((sum, { offset }) => sum + Math.max(0, Number(offset)), 0);
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([producer.close(), admin.disconnect()]);
      await stop();
    },
  };
}

/** Publishes records in requests of less than one megabyte. Each driver's records stay in order. */
export async function publish(broker: Broker, topics: Topics, records: Iterable<SimulatedRecord>) {
  let count = 0;
  let bytes = 0;
  for (const batch of batches(records)) {
    await broker.send(topics.trips, batch);
    count += batch.length;
    for (const { value } of batch) bytes += Buffer.byteLength(value);
  }
  return {
    records: count,
    /** The mean size of a record's JSON. */
    bytesPerRecord: bytes / count,
  };
}
