import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { administer } from '../../support/template.ts';
import type { Consumer } from './backlog.ts';
import type { Broker, Topics } from './broker.ts';
import { type BenchMilepost, stopChild } from './milepost.ts';

/** The only table of each of the peers that store trips unchanged. It contains the keys and the record. */
export const NAIVE_TABLE =
  'CREATE TABLE trips (trip_id text PRIMARY KEY, driver_id text NOT NULL, start timestamptz NOT NULL, record jsonb NOT NULL)';

/** Starts the naive service on an empty database in the same PostgreSQL, with a new consumer group. */
export async function startKafkaNaive(milepost: BenchMilepost, broker: Broker, topics: Topics): Promise<Consumer> {
  const database = await milepost.createDatabase('plain');
  await administer(database.url, [NAIVE_TABLE]);
  const service = fork(
    join(import.meta.dirname, 'naive-service.ts'),
    [broker.addresses.join(','), topics.trips, `naive-${randomUUID()}`, database.url],
    { env: { ...process.env, KAFKAJS_NO_PARTITIONER_WARNING: '1' } },
  );
  let stored = 0;
  service.on('message', (count) => {
    stored = Number(count);
  });
  return {
    children: [service],
    processIds: { service: service.pid, postgres: milepost.postgresProcessId, broker: broker.processId },
    stored: async () => stored,
    readable: async () => stored,
    stop: async () => {
      await stopChild(service);
      await database.drop();
    },
  };
}
