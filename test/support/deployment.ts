import { randomBytes } from 'node:crypto';
import type { Pool } from '@milepost/postgres';
import { expect, inject, onTestFinished } from 'vitest';
import { send } from './http.ts';
import { openPool } from './pipeline.ts';
import { Processes } from './processes.ts';
import { freePorts } from './services/free-port.ts';
import { administer, databaseUrl } from './template.ts';
import { Topics } from './topics.ts';

const WAIT = { timeout: 120_000, interval: 100 };

/** Milepost as it is deployed: a database, topics and processes of its own. All of it ends with the test. */
export interface Deployment {
  topics: Topics;
  processes: Processes;
  owner: Pool;
  origin: string;
  /** Resolves when the log has taken at least so many records. */
  untilRead: (records: number) => Promise<void>;
  /** Resolves when all that was published is in the log and every read table is at its head. */
  untilApplied: () => Promise<void>;
}

/** Makes a database with `milepost migrate` and starts `api` and `projector`; `ingest` is the test's own to start. */
export async function deploy(brokers: string[]): Promise<Deployment> {
  const serverUrl = inject('postgresUrl');
  if (serverUrl === null) throw new Error('There is no PostgreSQL.');
  const name = `system_${randomBytes(6).toString('hex')}`;
  await administer(serverUrl, [`CREATE DATABASE ${name}`]);
  onTestFinished(async () => await administer(serverUrl, [`DROP DATABASE ${name} WITH (FORCE)`]));
  const url = databaseUrl(serverUrl, name);
  const topics = await Topics.create(brokers);
  onTestFinished(async () => await topics.close());
  const [port = 0] = await freePorts(1);
  const processes = new Processes({
    ...topics.settings(brokers),
    DATABASE_URL: url,
    PORT: String(port),
    RATE_LIMIT_PER_MINUTE: '1000000000',
    LOG_LEVEL: 'info',
  });
  onTestFinished(async () => await processes.end());
  await processes.run('migrate');
  const owner = openPool(url);
  onTestFinished(async () => await owner.end());
  processes.start('api');
  processes.start('projector');
  const origin = `http://127.0.0.1:${port}`;
  // A connection that is kept is closed by the server in the midst of a long test, and then fails the next request.
  const ready = { path: '/readyz', headers: { connection: 'close' } };
  await expect.poll(async () => (await send(origin, ready).catch(() => null))?.statusCode, WAIT).toBe(200);

  async function state(): Promise<{ read: number; head: number; checkpoint: number } | undefined> {
    const { rows } = await owner.query<{ read: number; head: number; checkpoint: number }>(
      `SELECT (SELECT coalesce(sum(records_read), 0) FROM log.source) AS read, (SELECT position FROM log.head) AS head,
         (SELECT min(checkpoint) FROM projection.generation) AS checkpoint`,
    );
    return rows[0];
  }
  return {
    topics,
    processes,
    owner,
    origin,
    untilRead: async (records) => {
      await expect.poll(async () => (await state())?.read, WAIT).toBeGreaterThanOrEqual(records);
    },
    untilApplied: async () => {
      await expect.poll(async () => (await state())?.read, WAIT).toBeGreaterThanOrEqual(topics.size);
      const now = await state();
      expect(now?.read).toBe(topics.size);
      await expect.poll(async () => (await state())?.checkpoint, WAIT).toBe(now?.head);
    },
  };
}
