import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { deploy } from '../support/deployment.ts';
import { tripProcessed } from '../support/records.ts';
import { describeWithKafka } from '../support/service-suites.ts';
import type { Message } from '../support/topics.ts';

const WAIT = { timeout: 60_000, interval: 100 };

function trips(count: number): Message[] {
  return Array.from({ length: count }, () => {
    const source_trip_id = randomUUID();
    return { topic: 'trips', key: 'one', value: JSON.stringify(tripProcessed({ source_trip_id })), broken: false };
  });
}

describeWithKafka('ingest and the offsets of its sources', (brokers) => {
  it('begins at the start of the topics for a new database, whatever offset the group had committed', async () => {
    const { topics, processes, untilApplied } = await deploy(brokers);
    await topics.publish(trips(10));
    const admin = topics.kafka.admin();
    await admin.connect();
    // What a former database of the same group has left behind at the broker.
    const partitions = [0, 1, 2].map((partition) => ({ partition, offset: '10' }));
    await admin.setOffsets({ groupId: topics.groupId, topic: topics.names.trips, partitions });
    await admin.disconnect();
    processes.start('ingest');
    await topics.publish(trips(5));
    await untilApplied();
  }, 120_000);

  it('stops with an alarm when a topic was deleted and made anew, before anything is published to it', async () => {
    const { topics, processes, untilApplied } = await deploy(brokers);
    await topics.publish(trips(10));
    const first = processes.start('ingest');
    await untilApplied();
    expect(await first.stop()).toBe(0);
    const admin = topics.kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [topics.names.trips] });
    await expect.poll(async () => (await admin.listTopics()).includes(topics.names.trips), WAIT).toBe(false);
    await admin.createTopics({ topics: [{ topic: topics.names.trips, numPartitions: 3 }], waitForLeaders: true });
    await admin.disconnect();
    const second = processes.start('ingest');
    await expect.poll(() => second.child.exitCode, WAIT).toBe(1);
    expect(second.output()).toMatch(/should go on at offset 10, but the broker holds 0 to 0/);
  }, 120_000);

  it('passes records of aborted transactions by, and goes on behind them', async () => {
    const { topics, processes, owner, untilRead } = await deploy(brokers);
    const producer = topics.kafka.producer({ transactionalId: randomUUID(), idempotent: true, maxInFlightRequests: 1 });
    await producer.connect();
    const send = async (messages: readonly Message[], outcome: 'commit' | 'abort') => {
      const transaction = await producer.transaction();
      const values = messages.map(({ key, value }) => ({ key, value, partition: 0 }));
      await transaction.send({ topic: topics.names.trips, messages: values });
      await transaction[outcome]();
    };
    processes.start('ingest');
    await send(trips(3), 'commit');
    await send(trips(3), 'abort');
    await send(trips(3), 'commit');
    await untilRead(6);
    await send(trips(3), 'abort');
    await send(trips(1), 'commit');
    await untilRead(7);
    await producer.disconnect();
    const { rows } = await owner.query('SELECT count(*) AS stored FROM log.stored_event');
    expect(rows).toEqual([{ stored: 7 }]);
  }, 120_000);
});
