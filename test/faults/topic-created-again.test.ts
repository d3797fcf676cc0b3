import { connect, type Socket } from 'node:net';
import { readKafkaConfig } from '@milepost/kafka/config';
import kafkajs from 'kafkajs';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { consume } from '../../apps/ingest/kafka/run.ts';
import { untilTestEnds } from '../support/fixtures.ts';
import { onlyLane } from '../support/ingest-lanes.ts';
import { openPipeline } from '../support/pipeline.ts';
import { tripProcessed } from '../support/records.ts';
import { describeWithKafka } from '../support/service-suites.ts';
import { Topics } from '../support/topics.ts';

/** Returns a client that, once its consumer has requested the topics' metadata, sends nothing until `release`. */
function heldClient(brokers: string[]) {
  const sockets = new Set<Socket>();
  let isHeld = false;
  let isAwaited = false;
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const kafka = new kafkajs.Kafka({
    brokers,
    logLevel: kafkajs.logLevel.NOTHING,
    socketFactory: ({ host, port, onConnect }) => {
      const socket = connect({ host, port }, onConnect);
      if (isHeld) socket.cork();
      sockets.add(socket);
      return socket;
    },
  });
  const createConsumer = kafka.consumer.bind(kafka);
  kafka.consumer = (settings) => {
    const consumer = createConsumer(settings);
    consumer.on(consumer.events.REQUEST, ({ payload }) => {
      if (!isAwaited || payload.apiName !== 'Metadata') return;
      isAwaited = false;
      isHeld = true;
      for (const socket of sockets) socket.cork();
      ask();
    });
    return consumer;
  };
  return {
    kafka,
    holdAtMetadata: () => {
      // The client also requests the metadata when it joins the group, but that request does not count.
      isAwaited = true;
      return asked;
    },
    release: () => {
      isHeld = false;
      for (const socket of sockets) socket.uncork();
    },
  };
}

// `apps/ingest/kafka/topic-identity.test.ts` simulates all orders of deletions, fetches and comparisons.
describeWithKafka('a topic that is created again while it is read', (brokers) => {
  it('is detected right after a client error, even if the topic is filled by the time of the next request', async () => {
    const log = untilTestEnds(await openPipeline([]));
    const topics = untilTestEnds(await Topics.create(brokers));
    const { trips } = topics.names;
    const producer = topics.kafka.producer();
    await producer.connect();
    onTestFinished(async () => await producer.disconnect());
    const admin = topics.kafka.admin();
    await admin.connect();
    onTestFinished(async () => await admin.disconnect());
    const publish = async (id: string, count: number) => {
      const messages = Array.from({ length: count }, (_, index) => ({
        value: JSON.stringify(tripProcessed({ source_trip_id: `${id}-${index}` })),
        partition: 0,
      }));
      await producer.send({ topic: trips, messages });
    };
    const source = async () => {
      const { rows } = await log.owner.query(
        'SELECT records_read, stopped, fault FROM log_source WHERE topic = $1 AND partition = 0',
        [trips],
      );
      return rows[0];
    };
    await publish('old', 10);
    const { kafka, holdAtMetadata, release } = heldClient(brokers);
    const stop = new AbortController();
    const ended = consume({
      kafka,
      pool: log.ingest,
      openLanes: async () => onlyLane(log.ingest),
      config: readKafkaConfig({ ...topics.settings(brokers), KAFKA_SESSION_TIMEOUT_MILLISECONDS: '60000' }),
      logger: pino({ level: 'silent' }),
      signal: stop.signal,
      crashedAt: new Map(),
      onFetched: () => {},
      comparisonMilliseconds: 3_600_000,
    });
    onTestFinished(async () => {
      release();
      stop.abort();
      expect(await ended).toBeNull();
    });
    await expect.poll(source).toEqual({ records_read: 10, stopped: false, fault: null });
    const held = holdAtMetadata();
    await admin.deleteTopics({ topics: [trips] });
    await expect.poll(async () => (await admin.listTopics()).includes(trips)).toBe(false);
    await held;
    await topics.make();
    await publish('new', 30);
    release();
    const fault = expect.stringMatching(/was created again: at offset 9 /);
    await expect.poll(source).toEqual({ records_read: 10, stopped: true, fault });
  });
});
