import { connect, type Socket } from 'node:net';
import { readKafkaConfig } from '@milepost/kafka/config';
import kafkajs, { type ConsumerRunConfig, type EachBatchPayload } from 'kafkajs';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { consume } from '../../apps/ingest/kafka/consume.ts';
import { advanceClock } from '../support/advance-clock.ts';
import { onlyLane } from '../support/ingest-lanes.ts';
import { openPipeline } from '../support/pipeline.ts';
import { tripProcessed } from '../support/records.ts';
import { describeWithKafka } from '../support/service-suites.ts';
import { Topics } from '../support/topics.ts';

const WAIT = { timeout: 60_000, interval: 50 };
const HOUR_MILLISECONDS = 3_600_000;

/** Returns a gate. While it is closed, work that reaches it waits. */
function gate() {
  let opened = Promise.withResolvers<void>();
  let reached = Promise.withResolvers<void>();
  opened.resolve();
  return {
    /** Closes the gate. Resolves when some work is waiting there. */
    close: () => {
      opened = Promise.withResolvers();
      reached = Promise.withResolvers();
      return reached.promise;
    },
    open: () => opened.resolve(),
    pass: async () => {
      reached.resolve();
      await opened.promise;
    },
  };
}

/** Returns a client that lets a test pause its consumer and its requests for offsets. */
function heldClient(brokers: string[]) {
  const sockets = new Set<Socket>();
  let isHeld = false;
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
  const batches = gate();
  const offsets = gate();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const createConsumer = kafka.consumer.bind(kafka);
  kafka.consumer = (settings) => {
    const consumer = createConsumer(settings);
    const run = consumer.run.bind(consumer);
    consumer.run = async (config?: ConsumerRunConfig) => {
      const eachBatch = async (payload: EachBatchPayload) => {
        await config?.eachBatch?.(payload);
        await batches.pass();
      };
      // Only later requests are paused, because the client also requests the metadata when it joins the group.
      await run({ ...config, eachBatch });
    };
    consumer.on(consumer.events.REQUEST, ({ payload }) => {
      if (!isHeldByMetadata || payload.apiName !== 'Metadata') return;
      isHeldByMetadata = false;
      hold();
      ask();
    });
    return consumer;
  };
  const createAdmin = kafka.admin.bind(kafka);
  kafka.admin = (settings) => {
    const admin = createAdmin(settings);
    const fetchTopicOffsets = admin.fetchTopicOffsets.bind(admin);
    admin.fetchTopicOffsets = async (topic) => {
      await offsets.pass();
      return await fetchTopicOffsets(topic);
    };
    return admin;
  };
  let isHeldByMetadata = false;
  function hold() {
    isHeld = true;
    for (const socket of sockets) socket.cork();
  }
  return {
    kafka,
    batches,
    offsets,
    /**
     * Resolves when the consumer has requested the topics' metadata, after which the client sends no further request.
     */
    holdAtMetadata: () => {
      isHeldByMetadata = true;
      return asked;
    },
    release: () => {
      isHeld = false;
      for (const socket of sockets) socket.uncork();
    },
  };
}

describeWithKafka('a topic that is created again and filled past the offset while it is read', (brokers) => {
  async function prepare() {
    const log = await openPipeline([]);
    onTestFinished(log.close);
    const topics = await Topics.create(brokers);
    onTestFinished(async () => await topics.close());
    const config = readKafkaConfig({
      ...topics.settings(brokers),
      KAFKA_SESSION_TIMEOUT_MILLISECONDS: '60000',
    });
    const producer = topics.kafka.producer();
    await producer.connect();
    onTestFinished(async () => await producer.disconnect());
    const admin = topics.kafka.admin();
    await admin.connect();
    onTestFinished(async () => await admin.disconnect());
    const { trips, drivers } = topics.names;

    async function publish(topic: string, id: string, count: number): Promise<void> {
      const messages = Array.from({ length: count }, (_, index) => ({
        value: JSON.stringify(tripProcessed({ source_trip_id: `${id}-${index}` })),
        partition: 0,
      }));
      await producer.send({ topic, messages });
    }

    async function deleteTopic(): Promise<void> {
      await admin.deleteTopics({ topics: [trips] });
      await expect.poll(async () => (await admin.listTopics()).includes(trips), WAIT).toBe(false);
    }

    /** Reads until the test ends or calls `end`. */
    function read(comparisonMilliseconds: number) {
      const client = heldClient(brokers);
      const stop = new AbortController();
      const ended = consume({
        kafka: client.kafka,
        pool: log.ingest,
        openLanes: async () => onlyLane(log.ingest),
        config,
        logger: pino({ level: 'silent' }),
        signal: stop.signal,
        crashedAt: new Map(),
        onFetched: () => {},
        comparisonMilliseconds,
      });
      const end = async () => {
        client.batches.open();
        client.offsets.open();
        client.release();
        stop.abort();
        expect(await ended).toBeNull();
      };
      onTestFinished(end);
      return { ...client, end };
    }

    async function source() {
      const { rows } = await log.owner.query(
        'SELECT records_read, stopped, fault FROM log_source WHERE topic = $1 AND partition = 0',
        [trips],
      );
      return rows[0];
    }
    const untilRead = async (records_read: number) =>
      await expect.poll(source, WAIT).toEqual({ records_read, stopped: false, fault: null });
    const untilStopped = async (records_read: number) =>
      await expect
        .poll(source, WAIT)
        .toEqual({ records_read, stopped: true, fault: expect.stringMatching(/was created again: at offset 9 /) });

    /**
     * Resolves when 30 records are read, or when the partition is stopped before that. If a broker does not serve the
     * new topic yet, the client requests the metadata, and ingest then begins a comparison immediately.
     */
    async function isDetectedEarly(): Promise<boolean> {
      const isDecided = async () => {
        const now = await source();
        return now?.stopped === true || now?.records_read === 30;
      };
      await expect.poll(isDecided, WAIT).toBe(true);
      return (await source())?.stopped === true;
    }

    /** Replaces the topic between two fetches, so that no request of the client fails. */
    async function createAgainBetweenFetches({ batches, offsets }: ReturnType<typeof read>): Promise<void> {
      // A check that saw the empty topic would also stop the partition, but the test must not depend on that.
      void offsets.close();
      const held = batches.close();
      await publish(drivers, 'held', 1);
      await held;
      await deleteTopic();
      await topics.make();
      await publish(trips, 'new', 30);
      batches.open();
      offsets.open();
    }
    return { topics, publish, deleteTopic, read, untilRead, untilStopped, createAgainBetweenFetches, isDetectedEarly };
  }

  it('is detected before any of its records is stored, when the last comparison is old', async () => {
    const { topics, publish, read, untilRead, untilStopped, createAgainBetweenFetches } = await prepare();
    await publish(topics.names.trips, 'old', 10);
    const reading = read(0);
    await untilRead(10);
    await createAgainBetweenFetches(reading);
    await untilStopped(10);
  }, 120_000);

  it('is detected by the next comparison, after some of its records are stored', async () => {
    const { topics, publish, read, untilRead, untilStopped, createAgainBetweenFetches, isDetectedEarly } =
      await prepare();
    await publish(topics.names.trips, 'old', 10);
    const reading = read(HOUR_MILLISECONDS);
    await untilRead(10);
    await createAgainBetweenFetches(reading);
    // No comparison has run since then, because the offsets are consecutive.
    if (await isDetectedEarly()) return await untilStopped(10);
    // A check that began before the records were read must not see the clock jump.
    await reading.offsets.close();
    advanceClock(HOUR_MILLISECONDS);
    reading.offsets.open();
    await untilStopped(30);
  }, 120_000);

  it('is detected by the next process, after some of its records are stored', async () => {
    const { topics, publish, read, untilRead, untilStopped, createAgainBetweenFetches, isDetectedEarly } =
      await prepare();
    await publish(topics.names.trips, 'old', 10);
    const reading = read(HOUR_MILLISECONDS);
    await untilRead(10);
    await createAgainBetweenFetches(reading);
    if (await isDetectedEarly()) return await untilStopped(10);
    await publish(topics.names.trips, 'newer', 5);
    await untilRead(35);
    await reading.end();
    read(HOUR_MILLISECONDS);
    await untilStopped(35);
  }, 120_000);

  it('is detected right after a client error, even if the topic is filled by the time of the next request', async () => {
    const { topics, publish, deleteTopic, read, untilRead, untilStopped } = await prepare();
    await publish(topics.names.trips, 'old', 10);
    const { holdAtMetadata, release } = read(HOUR_MILLISECONDS);
    await untilRead(10);
    const held = holdAtMetadata();
    await deleteTopic();
    await held;
    await topics.make();
    await publish(topics.names.trips, 'new', 30);
    release();
    await untilStopped(10);
  }, 120_000);

  it('is distinguished from a topic that has only grown, whose records are stored without a second read', async () => {
    const { topics, publish, read, untilRead } = await prepare();
    await publish(topics.names.trips, 'old', 10);
    read(0);
    for (const [index, records] of [15, 20, 25].entries()) {
      await publish(topics.names.trips, `more-${index}`, 5);
      await untilRead(records);
    }
  }, 120_000);
});
