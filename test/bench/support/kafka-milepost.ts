import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Pool } from 'pg';
import type { Consumer } from './backlog.ts';
import type { Broker, Topics } from './broker.ts';
import { makeDatabase, serverProcessId } from './databases.ts';
import type { BenchMilepost } from './milepost.ts';
import { readableTrips } from './until-readable.ts';

/** Milepost's processes between Kafka and the read tables, on a database of their own. */
export interface KafkaMilepost extends Consumer {
  url: string;
  pool: Pool;
  ingest: ChildProcess;
  projector: ChildProcess;
  /** Ends the processes in order and drops the database. */
  stop: () => Promise<void>;
}

/** Asks a process to stop and waits until it has. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** With BENCH_PROFILE=DIRECTORY every process of Milepost leaves a processor profile there when it ends. */
function profiling(): Record<string, string> {
  const directory = process.env['BENCH_PROFILE'];
  return directory === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${directory}` };
}

/** The settings with which `ingest` reads topics in a consumer group that goes with them. */
export function ingestSettings(broker: Broker, topics: Topics): Record<string, string> {
  return {
    KAFKA_BROKERS: broker.addresses.join(','),
    KAFKA_TRIPS_TOPIC: topics.trips,
    KAFKA_DRIVERS_TOPIC: topics.drivers,
    KAFKA_GROUP_ID: `milepost-${topics.trips}`,
  };
}

/** Starts `ingest`, in a consumer group of its own, and `projector` on an empty, migrated database. */
export async function startKafkaMilepost(
  milepost: BenchMilepost,
  broker: Broker,
  topics: Topics,
): Promise<KafkaMilepost> {
  const database = await makeDatabase(milepost, 'migrated');
  const pool = new Pool({ connectionString: database.url, max: 1 });
  const environment = {
    ...profiling(),
    DATABASE_URL: database.url,
    ...ingestSettings(broker, topics),
    KAFKA_GROUP_ID: `milepost-${randomUUID()}`,
  };
  const ingest = milepost.start('ingest', environment);
  const projector = milepost.start('projector', environment);
  return {
    url: database.url,
    pool,
    ingest,
    projector,
    children: [ingest, projector],
    processIds: {
      ingest: ingest.pid,
      projector: projector.pid,
      postgres: await serverProcessId(milepost),
      broker: broker.processId,
    },
    stored: async () => {
      const { rows } = await pool.query<{ position: string }>({
        name: 'stored',
        text: 'SELECT position FROM log.head',
      });
      return Number(rows[0]?.position);
    },
    readable: async () => await readableTrips(pool),
    stop: async () => {
      await Promise.all([stopChild(ingest), stopChild(projector)]);
      await pool.end();
      await database.drop();
    },
  };
}

/**
 * Makes sure that all of a backlog was stored and can be read.
 *
 * @throws Error when a trip is missing, or a record became something else than a trip
 */
export async function assertWhole(pool: Pool, trips: number): Promise<void> {
  const { rows } = await pool.query<{ stored: string; shown: string; dead: string }>(
    `SELECT (SELECT count(*) FROM log.stored_event) AS stored, (SELECT count(*) FROM read.trips) AS shown,
            (SELECT count(*) FROM log.dead_letter) AS dead`,
  );
  const { stored, shown, dead } = rows[0] ?? {};
  if (Number(stored) !== trips || Number(shown) !== trips || Number(dead) !== 0) {
    throw new Error(`Of ${trips} trips ${stored} are stored and ${shown} can be read; ${dead} are dead letters.`);
  }
}
