import { readHeadPosition } from '@milepost/event-log/head';
import { Kafka, logLevel } from 'kafkajs';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { perSuite, untilTestEnds } from '../support/fixtures.ts';
import { describeWithOwnBroker } from '../support/own-broker-suite.ts';
import { openPipeline } from '../support/pipeline.ts';
import { tripProcessed } from '../support/records.ts';
import { startIngest } from '../support/running-ingest.ts';
import { freePorts } from '../support/services/free-port.ts';
import { kafkaSettings } from '../support/services/kafka/settings.ts';
import { startKafkaNode } from '../support/services/local/kafka.ts';
import type { ServerProcess } from '../support/services/local/process.ts';
import { asAdministrator, createTopics, sendTo, untilCoordinated } from '../support/topics.ts';

/** While all brokers are running, each partition's first replica is its leader. */
const REPLICAS = [
  [2, 3, 1],
  [3, 2, 1],
  [1, 2, 3],
];
/** The gap is about 2 s on an idle machine. It used to be up to 42 s, when each request waited for its own timeout. */
const MAX_GAP_MILLISECONDS = 15_000;

/**
 * Starts a cluster of three brokers, each of which has a replica of every internal topic. Their ids start at 1, and the
 * first broker is also the controller. They start one after another, because starting them together on a small machine
 * would exceed their timeouts.
 */
async function startKafkaCluster() {
  const [controller = 0, ...ports] = await freePorts(4);
  const nodes: ServerProcess[] = [];
  const stop = async () => {
    // A suspended process would not react to a request to stop.
    for (const node of nodes) node.signal('SIGKILL');
    for (const node of nodes) await node.stop();
  };
  try {
    for (const [index, port] of ports.entries()) {
      const settings = {
        ...kafkaSettings(port, controller),
        'offsets.topic.replication.factor': '3',
        'transaction.state.log.replication.factor': '3',
        'node.id': String(index + 1),
      };
      const roles = { 'process.roles': 'broker', listeners: `PLAINTEXT://127.0.0.1:${port}` };
      nodes.push(await startKafkaNode(index === 0 ? settings : { ...settings, ...roles }));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const signal = (broker: number, name: NodeJS.Signals) => nodes[broker - 1]?.signal(name);
  return { addresses: ports.map((port) => `127.0.0.1:${port}`), signal, stop };
}

/**
 * Returns which partition of the topic `__consumer_offsets` the broker chooses for a group, according to the Java hash
 * code of the group's id.
 */
function partitionOfGroup(groupId: string, partitions: number): number {
  let hash = 0;
  for (const character of groupId) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return Math.abs(hash) % partitions;
}

describeWithOwnBroker('ingest from three brokers', () => {
  const cluster = perSuite(startKafkaCluster);
  /** The client that sends requests while all brokers are running. On a busy machine, creating topics takes seconds. */
  let patient: Kafka;
  let kafka: Kafka;
  beforeAll(async () => {
    // The tests connect to the broker that is never stopped.
    const common = { brokers: cluster.addresses.slice(0, 1), logLevel: logLevel.NOTHING };
    patient = new Kafka(common);
    kafka = new Kafka({
      ...common,
      // This client also sends requests to the suspended broker.
      requestTimeout: 500,
      connectionTimeout: 500,
      retry: { retries: 100, initialRetryTime: 50, maxRetryTime: 100 },
    });
  });

  /** Returns which broker leads each partition of a topic. */
  async function leadersOf(client: Kafka, topic: string): Promise<Map<number, number>> {
    const { topics } = await asAdministrator(client, (admin) => admin.fetchTopicMetadata({ topics: [topic] }));
    return new Map(topics[0]?.partitions.map(({ partitionId, leader }) => [partitionId, leader]));
  }

  /** Returns a group id whose coordinator is this broker or, if `isCoordinator` is false, another broker. */
  async function groupOn(broker: number, isCoordinator: boolean, name: string): Promise<string> {
    await untilCoordinated(patient, 'first');
    const leaders = await leadersOf(patient, '__consumer_offsets');
    for (let number = 0; number < 100; number += 1) {
      const groupId = `${name}-${number}`;
      if ((leaders.get(partitionOfGroup(groupId, leaders.size)) === broker) === isCoordinator) return groupId;
    }
    throw new Error(`Broker ${broker} leads ${isCoordinator ? 'no' : 'every'} partition of the groups.`);
  }

  it.each([
    { fault: 'suspended', broker: 2, isCoordinator: true },
    // After broker 2 has been suspended, it leads only new partitions, so it coordinates no group.
    { fault: 'suspended', broker: 2, isCoordinator: false },
    { fault: 'killed', broker: 3, isCoordinator: true },
  ] as const)(
    'reads from the new leader soon after a broker is lost: $fault, coordinator: $isCoordinator',
    async ({ fault, broker, isCoordinator }) => {
      const name = `${fault}-${isCoordinator}`;
      const names = { trips: `trips-${name}`, drivers: `drivers-${name}` };
      const assignment = REPLICAS.map((replicas, partition) => ({ partition, replicas }));
      await createTopics(
        patient,
        Object.values(names).map((topic) => ({ topic, replicaAssignment: assignment })),
      );
      const log = untilTestEnds(await openPipeline([]));
      const settings = {
        KAFKA_BROKERS: cluster.addresses.join(','),
        KAFKA_TRIPS_TOPIC: names.trips,
        KAFKA_DRIVERS_TOPIC: names.drivers,
        KAFKA_GROUP_ID: await groupOn(broker, isCoordinator, name),
      };
      untilTestEnds(startIngest(log, settings));
      let published = 0;
      const publish = async (partition: number) => {
        const value = JSON.stringify(tripProcessed({ source_trip_id: `${name}-${published}` }));
        const messages = [{ key: 'acme/driver', value, partition }];
        await sendTo(kafka, { topic: names.trips, messages }, { idempotent: true, maxInFlightRequests: 1 });
        published += 1;
      };
      const stored = async () => await readHeadPosition(log.owner);
      const lost = REPLICAS.findIndex(([leader]) => leader === broker);
      for (const partition of REPLICAS.keys()) await publish(partition);
      await expect.poll(stored).toBe(published);

      cluster.signal(broker, fault === 'killed' ? 'SIGKILL' : 'SIGSTOP');
      onTestFinished(() => cluster.signal(broker, 'SIGCONT'));
      await expect.poll(async () => (await leadersOf(kafka, names.trips)).get(lost)).not.toBe(broker);
      const elected = performance.now();
      await publish(lost);
      await expect.poll(stored).toBe(published);
      expect(performance.now() - elected).toBeLessThan(MAX_GAP_MILLISECONDS);
    },
  );
});
