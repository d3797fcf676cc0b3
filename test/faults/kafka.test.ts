import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { connect, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { readKafkaConfig } from '@milepost/kafka/config';
import kafkajs, { type Kafka } from 'kafkajs';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { consume } from '../../apps/ingest/kafka/run.ts';
import { advanceClock } from '../support/advance-clock.ts';
import { untilTestEnds } from '../support/fixtures.ts';
import { onlyLane } from '../support/ingest-lanes.ts';
import { lockWaiters, whileLocked } from '../support/locks.ts';
import { openPipeline, type Pipeline } from '../support/pipeline.ts';
import { tripProcessed } from '../support/records.ts';
import { type LogLine, startIngest } from '../support/running-ingest.ts';
import { describeWithKafka } from '../support/service-suites.ts';
import { firstValue } from '../support/tables.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { asAdministrator, sendTo, Topics } from '../support/topics.ts';

const { CompressionTypes } = kafkajs;
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 0x08]);

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

describeWithKafka('during Kafka faults, ingest', (brokers) => {
  /** Opens the test's own database and topics until the test ends. */
  async function open(): Promise<{ log: Pipeline; topics: Topics }> {
    return { log: untilTestEnds(await openPipeline([])), topics: untilTestEnds(await Topics.create(brokers)) };
  }

  /** Runs ingest in this process until the test ends, on the test's own topics and database. */
  async function ingest(addresses = brokers) {
    const { log, topics } = await open();
    return { log, topics, lines: untilTestEnds(startIngest(log, topics.settings(addresses))).lines };
  }

  /** The options of one consumer. */
  const consumerOf = (log: Pipeline, topics: Topics) => ({
    kafka: topics.kafka,
    pool: log.ingest,
    openLanes: async () => onlyLane(log.ingest),
    config: readKafkaConfig(topics.settings(brokers)),
    logger: pino({ level: 'silent' }),
    signal: new AbortController().signal,
    crashedAt: new Map(),
    onFetched: () => {},
  });

  async function publish(kafka: Kafka, topic: string, partition: number, id: string, compression?: number) {
    const value = JSON.stringify(tripProcessed({ source_trip_id: id }));
    await sendTo(kafka, { topic, messages: [{ value, partition }], ...(compression ? { compression } : {}) });
  }

  const sources = async (log: Pipeline) =>
    await log.rows<{ partition: number; records_read: number; fault: string | null }>(
      "SELECT partition, records_read, stopped, fault FROM log_source WHERE topic LIKE 'trips%' ORDER BY partition",
    );

  /**
   * While `isDamaged` returns true, corrupts each compressed batch on its way to this process, as networks and disks
   * can.
   */
  function damageBatches(isDamaged: () => boolean): void {
    const emit: EventEmitter['emit'] = Socket.prototype.emit;
    const damaging = function (this: Socket, event: string | symbol, ...values: unknown[]) {
      const [chunk] = values;
      if (event === 'data' && Buffer.isBuffer(chunk) && isDamaged()) {
        const at = chunk.indexOf(GZIP_HEADER) + GZIP_HEADER.length + 20;
        if (chunk.includes(GZIP_HEADER)) chunk[at] = (chunk[at] ?? 0) ^ 0xff;
      }
      return Reflect.apply(emit, this, [event, ...values]);
    };
    const spy = vi.spyOn<EventEmitter, 'emit'>(Socket.prototype, 'emit').mockImplementation(damaging);
    onTestFinished(() => spy.mockRestore());
  }

  const crashesOf = (lines: LogLine[]) => lines.filter(({ message }) => message.startsWith('The consumer crashed'));

  it('backs off while its consumers crash, and marks the source as faulty until a read succeeds', async () => {
    let isDamaged = true;
    damageBatches(() => isDamaged);
    const { log, topics, lines } = await ingest();
    await publish(topics.kafka, topics.names.trips, 0, 'plain');
    await expect.poll(() => sources(log)).toMatchObject([{ records_read: 1 }, {}, {}]);
    await publish(topics.kafka, topics.names.trips, 1, 'packed', CompressionTypes.GZIP);
    await expect.poll(() => crashesOf(lines).length).toBeGreaterThanOrEqual(4);
    const reasonOfCrash = 'The batch of offsets 0 to 0 does not match its checksum.';
    const fault = expect.stringContaining(`repeatedly fails to read this offset: ${reasonOfCrash}`);
    expect(await sources(log)).toEqual([
      { partition: 0, records_read: 1, stopped: false, fault: null },
      { partition: 1, records_read: 0, stopped: false, fault },
      { partition: 2, records_read: 0, stopped: false, fault: null },
    ]);
    for (const [index, { reason, error, delay_milliseconds = 0 }] of crashesOf(lines).entries()) {
      expect([reason, error]).toEqual([reasonOfCrash, undefined]);
      // The delay doubles after each crash, and random jitter shortens it by at most half.
      const longest = 100 * 2 ** index;
      expect(delay_milliseconds).toBeGreaterThanOrEqual(longest / 2);
      expect(delay_milliseconds).toBeLessThanOrEqual(longest);
    }

    isDamaged = false;
    await expect.poll(() => sources(log)).toMatchObject([{}, { records_read: 1, fault: null }, {}]);
    // A consumer may read other partitions before it reads the damaged one.
    const steps = lines.flatMap(
      ({ message }) => /^(The consumer crashed|Kafka can be read again)/.exec(message)?.[0] ?? [],
    );
    expect(steps.join(', ')).toMatch(/^((The consumer crashed, )+Kafka can be read again(, |$))+$/);
  });

  // In a process that runs for months, consumers crash now and then, but the delays must not grow to a minute.
  it('begins with the first delay again after a consumer that has run for a minute', async () => {
    let isDamaged = true;
    damageBatches(() => isDamaged);
    const { log, topics, lines } = await ingest();
    await publish(topics.kafka, topics.names.trips, 1, 'first', CompressionTypes.GZIP);
    await expect.poll(() => crashesOf(lines).length).toBeGreaterThanOrEqual(3);
    isDamaged = false;
    await expect.poll(() => sources(log)).toMatchObject([{}, { records_read: 1 }, {}]);
    const before = crashesOf(lines).length;
    advanceClock(61_000);
    isDamaged = true;
    await publish(topics.kafka, topics.names.trips, 1, 'second', CompressionTypes.GZIP);
    await expect.poll(() => crashesOf(lines).length).toBeGreaterThanOrEqual(before + 2);
    const [first = Number.NaN, second = Number.NaN] = crashesOf(lines)
      .slice(before)
      .map(({ delay_milliseconds }) => delay_milliseconds);
    expect(first).toBeLessThanOrEqual(100);
    expect(second).toBeLessThanOrEqual(200);
    isDamaged = false;
    await expect.poll(() => sources(log)).toMatchObject([{}, { records_read: 2 }, {}]);
  });

  it('marks a source as faulty when a second consumer crashes at its offset, and not before', async () => {
    const { log, topics } = await open();
    await log.owner.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'cannot be stored'; END $$;
      CREATE TRIGGER fail BEFORE INSERT ON stored_event EXECUTE FUNCTION fail()`);
    await publish(topics.kafka, topics.names.trips, 1, 'first');
    const options = consumerOf(log, topics);
    const marked = async () => (await sources(log)).filter(({ fault }) => fault !== null);
    expect(await consume(options)).toBe('cannot be stored');
    expect(await marked()).toEqual([]);
    expect(await consume(options)).toBe('cannot be stored');
    const fault = 'Ingest repeatedly fails to read this offset: cannot be stored';
    expect(await marked()).toEqual([{ partition: 1, records_read: 0, stopped: false, fault }]);
  });

  it('ends a consumer when a lane has been added', async () => {
    const { log, topics } = await open();
    const openLanes = async () => ({ ...onlyLane(log.ingest), areCurrent: async () => false });
    await expect(consume({ ...consumerOf(log, topics), openLanes })).rejects.toThrow('A lane has been added.');
  });

  it('logs the start and the end of each outage of Kafka once', async () => {
    let isDamaged = false;
    damageBatches(() => isDamaged);
    const [host = '', port] = brokers[0]?.split(':') ?? [];
    const proxy = untilTestEnds(await startTcpProxy({ host, port: Number(port) }));
    await proxy.cut();
    const { log, topics, lines } = await ingest([`127.0.0.1:${proxy.port}`]);
    const said = (message: string) =>
      lines.filter((line) => line.message.startsWith(message)).map(({ level }) => level);
    const { levels } = pino;
    await expect.poll(() => said('Cannot read from Kafka').length).toBeGreaterThanOrEqual(2);
    expect(said('Kafka can be read again')).toEqual([]);
    await proxy.restore();
    await expect.poll(() => said('Kafka can be read again')).toEqual([levels.values['warn']]);
    await publish(topics.kafka, topics.names.trips, 0, 'plain');
    await expect.poll(() => sources(log)).toMatchObject([{ records_read: 1 }, {}, {}]);
    const [first, ...others] = said('Cannot read from Kafka');
    expect(first).toBe(levels.values['error']);
    expect(new Set(others)).toEqual(new Set([levels.values['debug']]));
    expect(said('Kafka can be read again')).toHaveLength(1);

    // The running client has direct connections to the broker, but the client that replaces it must use the proxy.
    await proxy.cut();
    isDamaged = true;
    await publish(topics.kafka, topics.names.trips, 1, 'packed', CompressionTypes.GZIP);
    const saidAgain = () => said('Cannot read from Kafka').slice(1 + others.length);
    await expect.poll(() => saidAgain().length).toBeGreaterThanOrEqual(2);
    expect(saidAgain()[0]).toBe(levels.values['error']);
    expect(saidAgain()[1]).toBe(levels.values['debug']);
  });

  /** Returns the time at which ingest last recorded that it was reading the only partition with published records. */
  const held = async (log: Pipeline) =>
    await firstValue(log.owner, 'SELECT max(held_at)::text FROM log_source WHERE records_read > 0');

  /** Moves the clock forward by half a minute. */
  const passHalfAMinute = () => advanceClock(31_000);

  it('ends a consumer that delivers nothing while the topic grows, even if it does not stop cleanly', async () => {
    const { log, topics } = await open();
    await publish(topics.kafka, topics.names.trips, 0, 'read');
    const { kafka } = topics;
    const create = kafka.consumer.bind(kafka);
    let hangs = false;
    kafka.consumer = (settings) => {
      const consumer = create(settings);
      const { run } = consumer;
      consumer.run = async (how) => {
        const eachBatch: NonNullable<typeof how>['eachBatch'] = async (payload) => {
          if (hangs) await new Promise(() => {});
          await how?.eachBatch?.(payload);
        };
        await run({ ...how, eachBatch });
      };
      return consumer;
    };
    const ended = consume(consumerOf(log, topics));
    await expect.poll(() => sources(log)).toMatchObject([{ records_read: 1 }, {}, {}]);
    hangs = true;
    await publish(topics.kafka, topics.names.trips, 0, 'not read');
    passHalfAMinute();
    expect(await ended).toBe('the consumer is fetching nothing although topics are growing');
  });

  it('skips records of an aborted transaction, treats them as read, and commits their offset as a hint', async () => {
    const { log, topics } = await open();
    const topic = topics.names.trips;
    const producer = topics.kafka.producer({ transactionalId: randomUUID(), idempotent: true, maxInFlightRequests: 1 });
    await producer.connect();
    onTestFinished(async () => await producer.disconnect());
    const send = async (id: string, outcome: 'commit' | 'abort') => {
      const transaction = await producer.transaction();
      const value = JSON.stringify(tripProcessed({ source_trip_id: id }));
      await transaction.send({ topic, messages: [{ value, partition: 0 }] });
      await transaction[outcome]();
    };
    // Ingest starts afterwards, so one fetch response can contain the records of all three transactions.
    await send('first', 'commit');
    await send('aborted', 'abort');
    await send('second', 'commit');
    const { lines } = untilTestEnds(startIngest(log, topics.settings(brokers)));
    await expect.poll(() => sources(log)).toMatchObject([{ records_read: 2 }, {}, {}]);
    await send('also aborted', 'abort');
    // By the time of the first check, the client has skipped the aborted records. Two more checks follow, each half a
    // minute later.
    for (let check = 0; check < 3; check += 1) {
      if (check === 1) passHalfAMinute();
      const before = await held(log);
      await expect.poll(() => held(log)).not.toBe(before);
    }
    expect(lines.map(({ reason = '' }) => reason)).not.toContainEqual(
      expect.stringContaining('is fetching nothing although'),
    );
    const group = { groupId: topics.groupId, topics: [topic] };
    const committed = async () => {
      const [offsets] = await asAdministrator(topics.kafka, async (admin) => await admin.fetchOffsets(group));
      return offsets?.partitions.find(({ partition }) => partition === 0)?.offset;
    };
    // Each of the four transactions has one record and one marker.
    await expect.poll(committed).toBe('8');
    const read = async () =>
      await log.rows(
        `SELECT next_offset, records_read, (SELECT count(*) FROM stored_event) AS stored
         FROM log_source WHERE records_read > 0`,
      );
    expect(await read()).toEqual([{ next_offset: 8, records_read: 2, stored: 2 }]);
    await send('third', 'commit');
    await expect.poll(read).toEqual([{ next_offset: 10, records_read: 3, stored: 3 }]);
  });

  it('reads partitions that are added while records arrive, within 30 seconds of their creation', async () => {
    const { log, topics } = await ingest();
    await publish(topics.kafka, topics.names.trips, 0, 'first');
    await expect.poll(() => sources(log)).toMatchObject([{ records_read: 1 }, {}, {}]);
    const topicPartitions = [{ topic: topics.names.trips, count: 5 }];
    await asAdministrator(topics.kafka, async (admin) => await admin.createPartitions({ topicPartitions }));
    const added = performance.now();
    await publish(topics.kafka, topics.names.trips, 4, 'second');
    const read = async () => (await sources(log)).find(({ partition }) => partition === 4)?.records_read;
    await expect.poll(read).toBe(1);
    expect(performance.now() - added).toBeLessThan(30_000);
  });

  it('keeps a consumer that is paused at its fetch limit, however long the database takes', async () => {
    const { log, topics } = await open();
    await publish(topics.kafka, topics.names.trips, 0, 'read');
    const { kafka } = topics;
    const createConsumer = kafka.consumer.bind(kafka);
    let isFull = false;
    kafka.consumer = (settings) => {
      const consumer = createConsumer(settings);
      const pause = consumer.pause.bind(consumer);
      consumer.pause = (partitions) => {
        // An assignment pauses the partitions of one topic, and the end of a claim pauses one partition. Only the fetch
        // limit pauses all six partitions.
        isFull ||= partitions.length === 6;
        pause(partitions);
      };
      return consumer;
    };
    const createAdmin = kafka.admin.bind(kafka);
    let asked = 0;
    kafka.admin = () => {
      const admin = createAdmin();
      const fetchTopicOffsets = admin.fetchTopicOffsets.bind(admin);
      admin.fetchTopicOffsets = async (topic) => {
        if (topic === topics.names.trips) asked += 1;
        return await fetchTopicOffsets(topic);
      };
      return admin;
    };
    const stop = new AbortController();
    const config = readKafkaConfig({ ...topics.settings(brokers), KAFKA_SESSION_TIMEOUT_MILLISECONDS: '60000' });
    const ended = consume({ ...consumerOf(log, topics), config, signal: stop.signal });
    onTestFinished(async () => {
      stop.abort();
      await ended;
    });
    await expect.poll(() => sources(log)).toMatchObject([{ records_read: 1 }, {}, {}]);
    const untilChecked = async () => {
      await expect.poll(() => isFull).toBe(true);
      passHalfAMinute();
      asked = 0;
      // By the time the third check after the clock change begins, the second one has ended.
      await Promise.race([ended, expect.poll(() => asked).toBeGreaterThanOrEqual(3)]);
      expect(await Promise.race([ended, 'it goes on'])).toBe('it goes on');
    };
    await whileLocked(log.owner, 'SELECT FROM log_head FOR UPDATE', untilChecked, async () => {
      const messages = [{ value: Buffer.alloc(2 * 1024 * 1024, 'x'), partition: 0 }];
      for (let message = 0; message < 24; message += 1) await sendTo(kafka, { topic: topics.names.trips, messages });
    });
    await expect.poll(() => sources(log)).toMatchObject([{ records_read: 25 }, {}, {}]);
    stop.abort();
    expect(await ended).toBeNull();
  });

  // `apps/ingest/kafka/topic-identity.test.ts` simulates all orders of deletions, fetches and comparisons.
  it('stops a topic that was created again right after a client error, even if it is filled by the next request', async () => {
    const { log, topics } = await open();
    const { trips } = topics.names;
    for (let record = 0; record < 10; record += 1) await publish(topics.kafka, trips, 0, `old-${record}`);
    const { kafka, holdAtMetadata, release } = heldClient(brokers);
    const stop = new AbortController();
    const config = readKafkaConfig({ ...topics.settings(brokers), KAFKA_SESSION_TIMEOUT_MILLISECONDS: '60000' });
    const options = { ...consumerOf(log, topics), kafka, config, signal: stop.signal };
    const ended = consume({ ...options, comparisonMilliseconds: 3_600_000 });
    onTestFinished(async () => {
      release();
      stop.abort();
      expect(await ended).toBeNull();
    });
    await expect.poll(() => sources(log)).toMatchObject([{ records_read: 10, stopped: false, fault: null }, {}, {}]);
    const held = holdAtMetadata();
    await topics.replaceTrips(held);
    for (let record = 0; record < 30; record += 1) await publish(topics.kafka, trips, 0, `new-${record}`);
    release();
    const fault = expect.stringMatching(/was created again: at offset 9 /);
    await expect.poll(() => sources(log)).toMatchObject([{ records_read: 10, stopped: true, fault }, {}, {}]);
  });

  it('stays in the group while the database takes longer than the session timeout', async () => {
    const { log, topics } = await ingest();
    const { trips } = topics.names;
    const read = async () => await log.rows('SELECT records_read FROM log_source');
    const claims = async () =>
      await log.rows('SELECT topic, partition, epoch FROM log_source ORDER BY topic, partition');
    // On a slow machine, a member may keep rejoining its group until it has read every partition once. All later
    // records are read under the last assignment. Once each partition has delivered a second record, the claims are
    // therefore complete.
    for (const records_read of [1, 2]) {
      for (const topic of Object.values(topics.names)) {
        for (const partition of [0, 1, 2]) await publish(topics.kafka, topic, partition, `trip-${records_read}`);
      }
      await expect.poll(read).toEqual(Array.from({ length: 6 }, () => ({ records_read })));
    }
    const before = await claims();
    const longer = async () => {
      await lockWaiters(log.owner, 1);
      await delay(9_000);
    };
    await whileLocked(log.owner, 'SELECT FROM log_head FOR UPDATE', longer, async () => {
      await publish(topics.kafka, trips, 0, 'third');
      await publish(topics.kafka, trips, 1, 'fourth');
    });
    await expect.poll(() => sources(log)).toMatchObject([{ records_read: 3 }, { records_read: 3 }, {}]);
    expect(await claims()).toEqual(before);
  });
});
