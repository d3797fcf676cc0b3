import { randomUUID } from 'node:crypto';
import { readHeadPosition } from '@milepost/event-log/head';
import type { Pool } from 'pg';
import type { Broker, Topics } from './broker.ts';
import { type BenchMilepost, openOwner, stopChild } from './milepost.ts';
import { readableTrips } from './until-readable.ts';

/** The settings with which `ingest` reads these topics in its own consumer group. */
export function ingestSettings(broker: Broker, topics: Topics): Record<string, string> {
  return {
    KAFKA_BROKERS: broker.addresses.join(','),
    KAFKA_TRIPS_TOPIC: topics.trips,
    KAFKA_DRIVERS_TOPIC: topics.drivers,
    KAFKA_GROUP_ID: `milepost-${topics.trips}`,
  };
}

/** Starts `ingest`, in a new consumer group, and `projector` on an empty, migrated database. */
export async function startKafkaMilepost(milepost: BenchMilepost, broker: Broker, topics: Topics) {
  const database = await milepost.createDatabase('migrated');
  const pool = openOwner(database.url);
  const own = { DATABASE_URL: database.url, KAFKA_GROUP_ID: `milepost-${randomUUID()}` };
  const environment = { ...ingestSettings(broker, topics), ...own };
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
      postgres: milepost.postgresProcessId,
      broker: broker.processId,
    },
    stored: async () => await readHeadPosition(pool),
    readable: async () => await readableTrips(pool),
    stop: async () => {
      await Promise.all([stopChild(ingest), stopChild(projector)]);
      await pool.end();
      await database.drop();
    },
  };
}

/**
 * Checks that all trips in a backlog are stored and readable.
 *
 * @throws Error when a trip is missing, or when a record was not stored as a trip
 */
export async function assertWhole(pool: Pool, trips: number): Promise<void> {
  const { rows } = await pool.query<{ stored: string; shown: string; dead: string }>(
    `SELECT (SELECT count(*) FROM stored_event) AS stored, (SELECT count(*) FROM trips) AS shown,
            (SELECT count(*) FROM dead_letter) AS dead`,
  );
  const { stored, shown, dead } = rows[0] ?? {};
  if (Number(stored) !== trips || Number(shown) !== trips || Number(dead) !== 0) {
    throw new Error(`Of ${trips} trips, ${stored} are stored and ${shown} are readable; ${dead} are dead letters.`);
  }
}
