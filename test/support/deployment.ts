import { newLane } from '@milepost/postgres/lanes/add-lane';
import { expect, onTestFinished } from 'vitest';
import { run } from './command.ts';
import { createTestDatabase } from './database.ts';
import { untilReady } from './faults/patience.ts';
import { untilTestEnds } from './fixtures.ts';
import { headersOf } from './http.ts';
import { openDirectory, openPartPool, openPool } from './pipeline.ts';
import { Processes } from './processes.ts';
import { driverProfile, toNdjson, tripProcessed } from './records.ts';
import { freePorts } from './services/free-port.ts';
import { Topics } from './topics.ts';

/**
 * Migrates a database, starts all processes except ingest, and ingests a file. Resolves when the API, at `PORT`, serves
 * the file's driver.
 */
export async function serveFile(processes: Processes): Promise<void> {
  await processes.run('migrate');
  for (const name of ['api', 'projector', 'ops']) processes.start(name);
  const records = toNdjson([driverProfile(), tripProcessed()]);
  const ingested = await run(['ingest', '-', '--wait'], processes.settings, records);
  expect(ingested).toMatchObject({ code: 0, stdout: expect.stringContaining('2 stored') });
  const headers = headersOf((await processes.run('keys', 'create', '--fleet', 'acme')).trim());
  const address = `http://127.0.0.1:${processes.settings['PORT']}/api/v1/drivers`;
  const asked = async () =>
    await fetch(address, { headers })
      .then((answer) => answer.json())
      .catch(() => null);
  await expect.poll(asked).toMatchObject({ count: 1 });
}

/**
 * A deployed Milepost with its own database, topics and processes. When the test ends, all of them are stopped and
 * deleted.
 */
export type Deployment = Awaited<ReturnType<typeof deploy>>;

/**
 * Migrates a database with `milepost migrate` and starts `api` and `projector`. A test starts `ingest` itself.
 *
 * @param emptyUrl an empty database; by default, a new one on the server that the tests share
 */
export async function deploy(brokers: string[], lanes = 1, emptyUrl?: string) {
  const { url, drop } = emptyUrl === undefined ? await createTestDatabase('template1') : { url: emptyUrl, drop: null };
  if (drop !== null) onTestFinished(drop);
  const topics = untilTestEnds(await Topics.create(brokers));
  const [port = 0] = await freePorts(1);
  const settings = {
    ...topics.settings(brokers),
    DATABASE_URL: url,
    PORT: String(port),
    RATE_LIMIT_PER_MINUTE: '1000000000',
    LOG_LEVEL: 'info',
    ...(lanes > 1 ? { LANES: String(lanes) } : {}),
  };
  const processes = untilTestEnds(new Processes(settings));
  await processes.run('migrate');
  const owner = openPool(url);
  const directory = openDirectory(url);
  const owners = [owner, ...Array.from({ length: lanes - 1 }, (_, index) => openPartPool(newLane(url, index + 1)))];
  for (const pool of [directory, ...owners]) untilTestEnds(pool);
  const api = processes.start('api');
  const projector = processes.start('projector');
  const origin = `http://127.0.0.1:${port}`;
  await untilReady(origin);

  /** Returns how many records have been read, and whether every lane has applied its log. */
  async function state(): Promise<{ read: number; isApplied: boolean }> {
    const states = await Promise.all(
      owners.map(async (each) => {
        const { rows } = await each.query<{ read: number; is_applied: boolean }>(
          `SELECT (SELECT coalesce(sum(records_read - records_elsewhere), 0) FROM log_source) AS read,
             (SELECT position FROM log_head) = (SELECT min(checkpoint) FROM generation WHERE live) AS is_applied`,
        );
        return rows[0] ?? { read: 0, is_applied: false };
      }),
    );
    const read = states.reduce((sum, each) => sum + each.read, 0);
    return { read, isApplied: states.every((each) => each.is_applied) };
  }
  return {
    topics,
    processes,
    api,
    projector,
    owner,
    /** The superuser's pools, one on each lane. The first is `owner`. */
    lanes: owners,
    directory,
    origin,
    /** Resolves when ingest has read at least this many records. */
    untilRead: async (records: number) => {
      await expect.poll(async () => (await state()).read).toBeGreaterThanOrEqual(records);
    },
    /** Resolves when the log contains everything that was published, and every read table has reached the head. */
    untilApplied: async () => {
      await expect.poll(async () => (await state()).read).toBeGreaterThanOrEqual(topics.size);
      expect((await state()).read).toBe(topics.size);
      await expect.poll(async () => (await state()).isApplied).toBe(true);
    },
  };
}
