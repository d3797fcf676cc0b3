import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Partitioners } from 'kafkajs';
import { expect, it } from 'vitest';
import { deploy } from '../support/deployment.ts';
import { openFolder, untilTestEnds } from '../support/fixtures.ts';
import { ended, expectSuccess, ROOT, start } from '../support/milepost.ts';
import { needsKafkaJars } from '../support/own-broker-suite.ts';
import { needs, PYTHON } from '../support/programs.ts';
import { driverProfile, toNdjson, tripProcessed } from '../support/records.ts';
import { describeWithKafka } from '../support/service-suites.ts';
import { kafkaJars } from '../support/services/kafka/jars.ts';

const DRIVER_IDS = Array.from({ length: 10 }, (_, number) => `driver-${number}`);
const TRIPS = 6;
const PARTITIONS = 3;

/** The programs in docs/publishing.md: the language of each block, its file, and the command that runs it. */
const PROGRAMS = [
  { language: 'ts', file: 'publish.ts', options: {}, command: async () => [process.execPath] },
  {
    language: 'python',
    file: 'publish.py',
    options: needs('confluent_kafka for Python'),
    command: async () => [PYTHON],
  },
  {
    language: 'java',
    file: 'Publish.java',
    options: { ...needs('javac'), ...needsKafkaJars },
    command: async () => ['java', '-cp', join(await kafkaJars(), '*')],
  },
];

interface Stored {
  topic: string;
  partition: number;
  stored: number;
}

/**
 * Returns how many records each partition gets if partitions are chosen by the documented key, with the partitioner
 * that Java and kafkajs share.
 */
function expectedIn(topic: string, perDriver: number): Stored[] {
  const choose = Partitioners.DefaultPartitioner();
  const partitionMetadata = Array.from({ length: PARTITIONS }, (_, partitionId) => ({
    partitionErrorCode: 0,
    partitionId,
    leader: 1,
    replicas: [1],
    isr: [1],
  }));
  const stored = Array.from({ length: PARTITIONS }, () => 0);
  for (const driver of DRIVER_IDS) {
    const message = { key: `acme/${driver}`, value: '' };
    const partition = choose({ topic, partitionMetadata, message });
    stored[partition] = (stored[partition] ?? 0) + perDriver;
  }
  return stored.flatMap((count, partition) => (count > 0 ? [{ topic, partition, stored: count }] : []));
}

describeWithKafka('the producers of docs/publishing.md', (brokers) => {
  for (const { language, file, options, command } of PROGRAMS) {
    it(`publish every record with its key to the right topic: ${file}`, options, async () => {
      const directory = untilTestEnds(await openFolder()).path;
      const document = await readFile(join(ROOT, 'docs/publishing.md'), 'utf8');
      const program = document.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? '';
      await writeFile(join(directory, file), program);
      await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
      const records = DRIVER_IDS.flatMap((driver_id) => [
        driverProfile({ driver_id }),
        ...Array.from({ length: TRIPS }, (_, trip) =>
          tripProcessed({ driver_id, source_trip_id: `${driver_id}-${trip}` }),
        ),
      ]);
      const { topics, processes, owner, untilRead } = await deploy(brokers);
      processes.start('ingest');
      const [executable = '', ...parameters] = await command();
      const child = start([executable, ...parameters, join(directory, file)], topics.settings(brokers));
      child.stdin?.end(toNdjson(records));
      expectSuccess(await ended(child));
      await untilRead(records.length);
      const { rows } = await owner.query<Stored>(
        `SELECT topic, partition, records_stored::int AS stored FROM log_source WHERE records_read > 0
         ORDER BY topic, partition`,
      );
      expect(rows).toEqual([...expectedIn(topics.names.drivers, 1), ...expectedIn(topics.names.trips, TRIPS)]);
    });
  }
});
