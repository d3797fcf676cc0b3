import { randomUUID } from 'node:crypto';
import { Kafka, logLevel } from 'kafkajs';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { describeWithKafka, describeWithPostgres } from '../support/service-suites.ts';
import { createTopics } from '../support/topics.ts';

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

describeWithPostgres("the tests' PostgreSQL", (url) => {
  it('responds, and is version 18', async () => {
    expect(await query(url, "SELECT current_setting('server_version_num')::int / 10000 AS version")).toEqual([
      { version: 18 },
    ]);
  });

  it('gives each test file its own migrated database, and drops it', async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await query(one.url, 'CREATE TABLE mine ()');
    expect(await query(one.url, "SELECT to_regclass('mine') IS NOT NULL AS found")).toEqual([{ found: true }]);
    expect(await query(other.url, "SELECT to_regclass('mine') IS NOT NULL AS found")).toEqual([{ found: false }]);
    expect(await query(other.url, 'SELECT min(number) AS first FROM migration')).toEqual([{ first: 1 }]);
    await Promise.all([one.drop(), other.drop()]);
    await expect(query(one.url, 'SELECT 1')).rejects.toThrow('does not exist');
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
