import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { deploy } from '../support/deployment.ts';
import { openFolder, untilTestEnds } from '../support/fixtures.ts';
import { ended, expectSuccess, start } from '../support/milepost.ts';
import { needsKafkaJars } from '../support/own-broker-suite.ts';
import { needs } from '../support/programs.ts';
import { toNdjson, tripProcessed } from '../support/records.ts';
import { describeWithKafka } from '../support/service-suites.ts';
import { kafkaJars } from '../support/services/kafka/jars.ts';
import { firstValue } from '../support/tables.ts';

/** Enough records for several 32 kB blocks of Java's snappy. */
const RECORDS = 100;

const CODECS = ['gzip', 'snappy', 'lz4', 'zstd'];

/** Returns a producer's program and arguments. The program sends each line of its input as a record. */
type Publisher = (broker: string, topic: string, codec: string) => Promise<[string, ...string[]]>;

const JAVA: Publisher = async (broker, topic, codec) => {
  const classes = join(await kafkaJars(), '*');
  const producer = ['-XX:TieredStopAtLevel=1', '-cp', classes, 'org.apache.kafka.tools.ConsoleProducer'];
  const batches = ['--max-partition-memory-bytes', '1000000', '--compression-codec', codec];
  return ['java', ...producer, '--bootstrap-server', broker, '--topic', topic, ...batches];
};

const LIBRDKAFKA: Publisher = async (broker, topic, codec) => {
  return ['kcat', '-P', '-b', broker, '-t', topic, '-z', codec, '-X', 'linger.ms=1000'];
};

describeWithKafka('compressed batches from other producers', (brokers) => {
  const readFrom = async (name: string, publisher: Publisher) => {
    const { topics, processes, owner, untilRead } = await deploy(brokers);
    processes.start('ingest');
    for (const [index, codec] of CODECS.entries()) {
      const child = start(await publisher(brokers.join(','), topics.names.trips, codec), {});
      const trips = Array.from({ length: RECORDS }, (_, number) =>
        tripProcessed({ source_trip_id: `${name}-${codec}-${number}` }),
      );
      child.stdin?.end(toNdjson(trips));
      expectSuccess(await ended(child));
      await untilRead((index + 1) * RECORDS);
    }
    expect(await firstValue(owner, 'SELECT count(*) FROM stored_event')).toBe(CODECS.length * RECORDS);
  };

  it('are read with every codec: Java', needsKafkaJars, async () => await readFrom('Java', JAVA));
  it('are read with every codec: librdkafka', needs('kcat'), async () => await readFrom('librdkafka', LIBRDKAFKA));

  it('are read from transactions of an idempotent Java producer', needsKafkaJars, async () => {
    const { topics, processes, owner, untilRead } = await deploy(brokers);
    processes.start('ingest');
    const payloads = join(untilTestEnds(await openFolder()).path, 'trips.ndjson');
    await writeFile(payloads, `${JSON.stringify(tripProcessed({ source_trip_id: 'only' }))}\n`);
    const limits = ['--num-records', String(RECORDS), '--throughput', '200', '--payload-file', payloads];
    const transactions = ['--transactional-id', topics.names.trips, '--transaction-duration-ms', '50'];
    const server = `bootstrap.servers=${brokers.join(',')}`;
    const properties = ['--producer-props', server, 'acks=all', 'compression.type=lz4'];
    const program = ['-cp', join(await kafkaJars(), '*'), 'org.apache.kafka.tools.ProducerPerformance'];
    const words = [...program, '--topic', topics.names.trips, ...limits, ...transactions, ...properties];
    expectSuccess(await ended(start(['java', ...words], {})));
    await untilRead(RECORDS);
    // Transaction markers have their own offsets, so the offsets exceed the number of records.
    const { rows } = await owner.query(
      `SELECT sum(records_read)::int AS read, sum(records_duplicate)::int AS duplicates, sum(next_offset) > $1 AS has_markers
       FROM log_source WHERE topic = $2`,
      [RECORDS, topics.names.trips],
    );
    expect(rows).toEqual([{ read: RECORDS, duplicates: RECORDS - 1, has_markers: true }]);
  });
});
