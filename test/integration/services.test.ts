import { randomUUID } from 'node:crypto';
import { Kafka, logLevel } from 'kafkajs';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { describeWithKafka, describeWithPostgres } from '../support/service-suites.ts';
import { createTopics } from '../support/topics.ts';

describeWithPostgres("the tests' PostgreSQL", (url) => {
  it('responds, and is version 18', async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    const sql = "SELECT current_setting('server_version_num')::int / 10000 AS version";
    const { rows } = await client.query(sql).finally(async () => await client.end());
    expect(rows).toEqual([{ version: 18 }]);
  });
});

describeWithKafka("the tests' Kafka", (brokers) => {
  const topic = `services-${randomUUID()}`;
  const kafka = new Kafka({ brokers, clientId: 'services', logLevel: logLevel.NOTHING });

  it('delivers a message larger than a megabyte from a committed transaction', async () => {
    await createTopics(kafka, [{ topic, numPartitions: 1 }]);
    const producer = kafka.producer({ transactionalId: topic, idempotent: true, maxInFlightRequests: 1 });
    await producer.connect();
    const transaction = await producer.transaction();
    const value = 'v'.repeat(5 * 1024 * 1024);
    await transaction.send({ topic, messages: [{ key: 'fleet/driver', value }] });
    await transaction.commit();
    await producer.disconnect();

    const consumer = kafka.consumer({ groupId: topic, sessionTimeout: 1_000, heartbeatInterval: 300 });
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    const received = Promise.withResolvers<number | undefined>();
    await consumer.run({ eachMessage: async ({ message }) => received.resolve(message.value?.length) });
    expect(await received.promise).toBe(value.length);
    await consumer.disconnect();
  });

  it('creates no topics automatically', async () => {
    const producer = kafka.producer({ retry: { retries: 1 } });
    await producer.connect();
    await expect(producer.send({ topic: `absent-${randomUUID()}`, messages: [{ value: 'v' }] })).rejects.toThrow(
      'does not host this topic-partition',
    );
    await producer.disconnect();
  });
});
