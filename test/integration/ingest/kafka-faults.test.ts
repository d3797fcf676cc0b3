import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip, unzip } from 'node:zlib';
import type { Logger } from '@milepost/service';
import kafkajs, { type Kafka } from 'kafkajs';
import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readKafkaConfig } from '../../../apps/ingest/config.ts';
import { consume } from '../../../apps/ingest/kafka/consume.ts';
import { runKafkaIngest } from '../../../apps/ingest/kafka/run.ts';
import { lockWaiters, whileLocked } from '../../support/locks.ts';
import { openPipeline, type Pipeline } from '../../support/pipeline.ts';
import { tripProcessed } from '../../support/records.ts';
import { describeWithKafka } from '../../support/service-suites.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { Topics } from '../../support/topics.ts';

const WAIT = { timeout: 120_000, interval: 50 };
const { CompressionCodecs, CompressionTypes } = kafkajs;

interface Line {
  level: number;
  message: string;
  reason?: string;
  delay_milliseconds?: number;
  error?: object;
}

describeWithKafka('ingest while Kafka cannot be read', (brokers) => {
  /** Runs ingest in this process on topics and a database of the test's own, until the test has finished. */
  async function ingest(
    addresses = brokers,
    level = 'info',
  ): Promise<{ log: Pipeline; topics: Topics; lines: Line[] }> {
    const log = await openPipeline([]);
    onTestFinished(log.close);
    const topics = await Topics.create(brokers);
    onTestFinished(async () => await topics.close());
    const lines: Line[] = [];
    const stream = { write: (line: string) => void lines.push(JSON.parse(line)) };
    const logger: Logger = pino({ level, messageKey: 'message', errorKey: 'error' }, stream);
    const stop = new AbortController();
    const config = readKafkaConfig(topics.settings(addresses));
    const running = runKafkaIngest({ pool: log.ingest, config, logger, signal: stop.signal });
    onTestFinished(async () => {
      stop.abort();
      await running;
    });
    return { log, topics, lines };
  }

  async function publish(kafka: Kafka, topic: string, partition: number, id: string, compression?: number) {
    const producer = kafka.producer();
    await producer.connect();
    const value = JSON.stringify(tripProcessed({ source_trip_id: id }));
    await producer.send({ topic, messages: [{ value, partition }], ...(compression ? { compression } : {}) });
    await producer.disconnect();
  }

  async function sources(log: Pipeline) {
    const { rows } = await log.owner.query<{ partition: number; records_read: number; fault: string | null }>(
      "SELECT partition, records_read, fault FROM log.source WHERE topic LIKE 'trips%' ORDER BY partition",
    );
    return rows;
  }

  it('backs off when its consumers crash at once, marks what they fail at, and takes it back once it is read', async () => {
    const original = CompressionCodecs[CompressionTypes.GZIP];
    onTestFinished(() => {
      CompressionCodecs[CompressionTypes.GZIP] = original;
    });
    let isUnknown = true;
    const decompress = async (packed: Buffer) => {
      if (isUnknown) throw new kafkajs.KafkaJSNonRetriableError('gzip is not known');
      return await promisify(unzip)(packed);
    };
    const compress = async ({ buffer }: { buffer: Buffer }) => await promisify(gzip)(buffer);
    CompressionCodecs[CompressionTypes.GZIP] = () => ({ compress, decompress });

    const { log, topics, lines } = await ingest();
    await publish(topics.kafka, topics.names.trips, 0, 'plain');
    await expect.poll(() => sources(log), WAIT).toMatchObject([{ records_read: 1 }, {}, {}]);
    await publish(topics.kafka, topics.names.trips, 1, 'packed', CompressionTypes.GZIP);
    const crashes = () => lines.filter(({ message }) => message.startsWith('consumer crashed'));
    await expect.poll(() => crashes().length, WAIT).toBeGreaterThanOrEqual(4);
    const fault = expect.stringContaining('fails again and again where it reads this: gzip is not known');
    expect(await sources(log)).toEqual([
      { partition: 0, records_read: 1, fault: null },
      { partition: 1, records_read: 0, fault },
      { partition: 2, records_read: 0, fault: null },
    ]);
    for (const [index, { reason, error, delay_milliseconds = 0 }] of crashes().entries()) {
      expect([reason, error]).toEqual(['gzip is not known', undefined]);
      // Up to so long before the next one, and at least half of that.
      const longest = 100 * 2 ** index;
      expect(delay_milliseconds).toBeGreaterThanOrEqual(longest / 2);
      expect(delay_milliseconds).toBeLessThanOrEqual(longest);
    }

    isUnknown = false;
    await expect.poll(() => sources(log), WAIT).toMatchObject([{}, { records_read: 1, fault: null }, {}]);
    expect(lines.filter(({ message }) => message === 'Kafka is read again')).toHaveLength(1);
  });

  it('says once that Kafka is gone, and once that it is back', async () => {
    const [host = '', port] = brokers[0]?.split(':') ?? [];
    const proxy = await startTcpProxy({ host, port: Number(port) });
    onTestFinished(proxy.cut);
    await proxy.cut();
    const { log, topics, lines } = await ingest([`127.0.0.1:${proxy.port}`], 'debug');
    const said = (message: string) =>
      lines.filter((line) => line.message.startsWith(message)).map(({ level }) => level);
    const { levels } = pino;
    await expect.poll(() => said('Kafka cannot be read').length, WAIT).toBeGreaterThanOrEqual(2);
    expect(said('Kafka is read again')).toEqual([]);
    await proxy.restore();
    await expect.poll(() => said('Kafka is read again'), WAIT).toEqual([levels.values['warn']]);
    await publish(topics.kafka, topics.names.trips, 0, 'plain');
    await expect.poll(() => sources(log), WAIT).toMatchObject([{ records_read: 1 }, {}, {}]);
    const [first, ...others] = said('Kafka cannot be read');
    expect(first).toBe(levels.values['error']);
    expect(new Set(others)).toEqual(new Set([levels.values['debug']]));
    expect(said('Kafka is read again')).toHaveLength(1);
  });

  /** How often ingest has said by now that it holds the only partition whose records were published. */
  async function held(log: Pipeline): Promise<string> {
    const { rows } = await log.owner.query<{ held_at: string }>(
      'SELECT max(held_at)::text AS held_at FROM log.source WHERE records_read > 0',
    );
    return rows[0]?.held_at ?? '';
  }

  /** From now on it is half a minute later. */
  function passHalfAMinute(): void {
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 31_000);
    onTestFinished(() => clock.mockRestore());
  }

  it('ends a consumer that brings nothing although the topic grows, though it does not leave in order', async () => {
    const log = await openPipeline([]);
    onTestFinished(log.close);
    const topics = await Topics.create(brokers);
    onTestFinished(async () => await topics.close());
    await publish(topics.kafka, topics.names.trips, 0, 'read');
    const kafka = new kafkajs.Kafka({ brokers, logLevel: kafkajs.logLevel.NOTHING });
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
    const logger: Logger = pino({ level: 'silent' });
    const { signal } = new AbortController();
    const config = readKafkaConfig(topics.settings(brokers));
    const options = { kafka, pool: log.ingest, config, logger, signal, crashes: 0, onFetched: () => {} };
    const ended = consume(options);
    await expect.poll(() => sources(log), WAIT).toMatchObject([{ records_read: 1 }, {}, {}]);
    hangs = true;
    await publish(topics.kafka, topics.names.trips, 0, 'not read');
    passHalfAMinute();
    expect(await ended).toBe('it stands still while topics grow');
  });

  it('takes a topic that ends with an aborted transaction for one that was read, and commits as a hint how far', async () => {
    const { log, topics, lines } = await ingest();
    const topic = topics.names.trips;
    await publish(topics.kafka, topic, 0, 'plain');
    const producer = topics.kafka.producer({ transactionalId: randomUUID(), idempotent: true, maxInFlightRequests: 1 });
    await producer.connect();
    onTestFinished(async () => await producer.disconnect());
    await expect.poll(() => sources(log), WAIT).toMatchObject([{ records_read: 1 }, {}, {}]);
    const transaction = await producer.transaction();
    await transaction.send({ topic, messages: [{ value: '{}', partition: 0 }] });
    await transaction.abort();
    // One check, by which the client has passed what was aborted, and two half a minute later.
    for (let check = 0; check < 3; check += 1) {
      if (check === 1) passHalfAMinute();
      const before = await held(log);
      await expect.poll(() => held(log), WAIT).not.toBe(before);
    }
    expect(lines.map(({ reason = '' }) => reason)).not.toContainEqual(expect.stringContaining('stands still'));
    const admin = topics.kafka.admin();
    await admin.connect();
    onTestFinished(async () => await admin.disconnect());
    const committed = async () => {
      const [offsets] = await admin.fetchOffsets({ groupId: topics.groupId, topics: [topic] });
      return offsets?.partitions.find(({ partition }) => partition === 0)?.offset;
    };
    await expect.poll(committed, WAIT).toBe('1');
  });

  it('keeps its place in the group while the database takes longer than a session may', async () => {
    const { log, topics } = await ingest();
    await publish(topics.kafka, topics.names.trips, 0, 'first');
    await expect.poll(() => sources(log), WAIT).toMatchObject([{ records_read: 1 }, {}, {}]);
    const epochs = async () => (await log.owner.query('SELECT sum(epoch) AS epochs FROM log.source')).rows;
    // On a slow machine a member may join its group a second time before it stays.
    const before = await epochs();
    const longer = async () => {
      await lockWaiters(log.owner, 1);
      await delay(9_000);
    };
    await whileLocked(log.owner, 'SELECT FROM log.head FOR UPDATE', longer, async () => {
      await publish(topics.kafka, topics.names.trips, 0, 'second');
      await publish(topics.kafka, topics.names.trips, 1, 'third');
    });
    await expect.poll(() => sources(log), WAIT).toMatchObject([{ records_read: 2 }, { records_read: 1 }, {}]);
    expect(await epochs()).toEqual(before);
  });
});
