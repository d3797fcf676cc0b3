import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { deploy } from '../support/deployment.ts';
import { tripProcessed } from '../support/records.ts';
import { describeWithKafka } from '../support/service-suites.ts';
import { kafkaJars } from '../support/services/kafka/jars.ts';

/** Enough for several of the 32 kB blocks that Java cuts snappy into. */
const RECORDS = 100;

const CODECS = ['gzip', 'snappy', 'lz4', 'zstd'];

/** A publisher's program and parameters. It sends each line of its input as a record. */
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

function isThere(program: string, parameter: string): boolean {
  return spawnSync(program, [parameter]).error === undefined;
}

describeWithKafka('batches that other producers compress', (brokers) => {
  it.each([
    ['Java', JAVA, isThere('java', '-version')],
    ['librdkafka', LIBRDKAFKA, isThere('kcat', '-V')],
  ] as const)('are read, whatever the codec: %s', async (name, publisher, isInstalled) => {
    // Without a service of this kind there is nothing to test with; where all must be there, the program must be too.
    if (!isInstalled && process.env['REQUIRE_SERVICES'] !== '1') return;
    const { topics, processes, owner, untilRead } = await deploy(brokers);
    processes.start('ingest');
    for (const [index, codec] of CODECS.entries()) {
      const [program, ...parameters] = await publisher(brokers.join(','), topics.names.trips, codec);
      const child = spawn(program, parameters, { stdio: ['pipe', 'ignore', 'pipe'] });
      const trips = Array.from({ length: RECORDS }, (_, number) =>
        JSON.stringify(tripProcessed({ source_trip_id: `${name}-${codec}-${number}` })),
      );
      child.stdin.end(`${trips.join('\n')}\n`);
      const [errors] = await Promise.all([text(child.stderr), once(child, 'close')]);
      expect(child.exitCode, errors).toBe(0);
      await untilRead((index + 1) * RECORDS);
    }
    const { rows } = await owner.query('SELECT count(*) AS stored FROM log.stored_event');
    expect(rows).toEqual([{ stored: CODECS.length * RECORDS }]);
  });
});
