import { randomUUID } from 'node:crypto';
import { prepareTopics } from '@milepost/kafka';
import kafkajs from 'kafkajs';
import { expect, it, onTestFinished } from 'vitest';
import { describeWithKafka } from '../../support/service-suites.ts';

describeWithKafka('ingest that finds no topic', (brokers) => {
  async function connect() {
    const admin = new kafkajs.Kafka({ brokers, logLevel: kafkajs.logLevel.NOTHING }).admin();
    await admin.connect();
    onTestFinished(async () => await admin.disconnect());
    return admin;
  }

  it('reads the topic that another process creates at the same time, without a finding', async () => {
    const [first, second] = [await connect(), await connect()];
    const topic = `trips-${randomUUID()}`;
    onTestFinished(async () => await first.deleteTopics({ topics: [topic] }));
    const prepare = async (admin: kafkajs.Admin) => await prepareTopics(admin, [topic], 'The client', 'READ');
    const listTopics = second.listTopics.bind(second);
    second.listTopics = async () => {
      const topics = await listTopics();
      expect(await prepare(first)).toEqual({ visible: [topic], created: [topic], findings: [] });
      return topics;
    };
    expect(await prepare(second)).toEqual({ visible: [topic], created: [], findings: [] });
  });
});
