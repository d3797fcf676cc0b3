import { promisify } from 'node:util';
import { gzip, unzip } from 'node:zlib';
import type { Logger } from '@milepost/service';
import kafkajs, { type Kafka } from 'kafkajs';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { readKafkaConfig } from '../../../apps/ingest/config.ts';
import { runKafkaIngest } from '../../../apps/ingest/kafka/index.ts';
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
});
