import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'pg';
import { freePorts } from '../../support/services/free-port.ts';
import { firstValue } from '../../support/tables.ts';
import type { Consumer } from './backlog.ts';
import { type Broker, PARTITIONS, type Topics } from './broker.ts';
import type { JavaPeer } from './java-peer.ts';
import { NAIVE_TABLE } from './kafka-naive.ts';
import { type BenchMilepost, stopChild } from './milepost.ts';

const ROWS_PER_BATCH = 500;
/** How often the sink commits its offsets, which tell the benchmark how much the sink has written. */
const COMMIT_MILLISECONDS = 100;

async function writeProperties(file: string, properties: Record<string, string | number | boolean>): Promise<void> {
  const lines = Object.entries(properties).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(file, lines.join(''));
}

/**
 * Starts a standalone worker with Debezium's JDBC sink, which upserts trips by id into the naive service's table, in an
 * empty database on the same PostgreSQL. The sink has a task for each partition and writes a batch's rows with one
 * statement.
 *
 * @param trips the number of trips to store
 */
export async function startKafkaConnect(
  peer: JavaPeer,
  milepost: BenchMilepost,
  broker: Broker,
  topics: Topics,
  trips: number,
): Promise<Consumer> {
  const database = await milepost.createDatabase('plain');
  const pool = new Pool({ connectionString: database.url, max: 1 });
  await pool.query(NAIVE_TABLE);
  const [port] = await freePorts(1);
  const name = `sink-${randomUUID()}`;
  const worker = join(peer.directory, 'worker.properties');
  await writeProperties(worker, {
    'bootstrap.servers': broker.addresses.join(','),
    listeners: `http://127.0.0.1:${port}`,
    'plugin.discovery': 'service_load',
    'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
    'value.converter': 'TripConverter',
    'offset.storage.file.filename': join(peer.directory, 'offsets'),
    'offset.flush.interval.ms': COMMIT_MILLISECONDS,
    'consumer.auto.offset.reset': 'earliest',
    // The fetch sizes are the same as in the naive service.
    'consumer.max.partition.fetch.bytes': 8 * 1024 * 1024,
    'consumer.fetch.max.bytes': 32 * 1024 * 1024,
    'consumer.max.poll.records': ROWS_PER_BATCH,
  });
  const sink = join(peer.directory, 'sink.properties');
  const { hostname, port: databasePort, username, password, pathname } = new URL(database.url);
  await writeProperties(sink, {
    name,
    'connector.class': 'io.debezium.connector.jdbc.JdbcSinkConnector',
    'tasks.max': PARTITIONS,
    topics: topics.trips,
    'connection.url': `jdbc:postgresql://${hostname}:${databasePort}${pathname}`,
    'connection.username': username,
    'connection.password': decodeURIComponent(password),
    'insert.mode': 'upsert',
    'primary.key.mode': 'record_value',
    'primary.key.fields': 'trip_id',
    'schema.evolution': 'none',
    'collection.name.format': 'trips',
    'batch.size': ROWS_PER_BATCH,
    'dialect.postgres.unnest.insert.enabled': true,
  });
  const child = peer.start('org.apache.kafka.connect.cli.ConnectStandalone', [worker, sink]);
  child.stdout?.pipe(process.stderr);
  const stored = async () => await broker.committed(`connect-${name}`, topics.trips);
  return {
    children: [child],
    processIds: { worker: child.pid, postgres: milepost.postgresProcessId, broker: broker.processId },
    stored,
    // The rows are counted only at the end, because counting them on every poll would take too long.
    readable: async () => {
      const committed = await stored();
      if (committed < trips) return committed;
      return Number(await firstValue(pool, 'SELECT count(*) FROM trips'));
    },
    stop: async () => {
      await stopChild(child);
      await pool.end();
      await database.drop();
    },
  };
}
