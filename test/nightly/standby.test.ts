import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { startEmbeddedPostgres } from '@milepost/embedded-postgres';
import { claimSource } from '@milepost/event-log/sources';
import { directoryAt, laneAt, type Pool, ROLES, retryTransientErrors, ServerPools } from '@milepost/postgres';
import { Standby } from '@milepost/postgres/standby';
import { checkReadTables } from '@milepost/projections/queries';
import { databaseUrl, readSettings, standbyUrl } from '@milepost/service';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { run } from '../support/command.ts';
import { killServer } from '../support/faults/postgres.ts';
import { untilTestEnds } from '../support/fixtures.ts';
import { statusOfDrivers } from '../support/http.ts';
import { metricsUrl, scrape } from '../support/metrics.ts';
import { expectSuccess } from '../support/milepost.ts';
import {
  deliver,
  openDirectory,
  openPipeline,
  openPool,
  type Pipeline,
  projectAll,
  TestLog,
} from '../support/pipeline.ts';
import { Processes } from '../support/processes.ts';
import { whileReading } from '../support/readers.ts';
import { driverProfile, tripProcessed } from '../support/records.ts';
import { freePorts } from '../support/services/free-port.ts';
import { type Replication, startReplication, startStandby } from '../support/standby.ts';
import { firstValue } from '../support/tables.ts';
import { startProxyTo } from '../support/tcp-proxy.ts';
import { administer, migrateParts } from '../support/template.ts';
import { createApiKey, DEFAULT_NOW, openApi as openWorldApi } from '../support/world.ts';

/** In tests that do not set their own maximum, the standby is never this far behind. */
const LONG_MILLISECONDS = 600_000;
const PATHS = [
  '/api/v1/drivers',
  '/api/v1/driver/driver-1/trips?start_date=2025-01-15',
  '/api/v1/trip/tracking_id/tracking-1',
  '/api/v1/driver-aggregate/daily?start_date=2025-01-15&driver_id=driver-1',
  '/api/v1/driver-aggregate/weekly?start_date=2025-01-13&driver_id=driver-1',
];

/** Stores records and applies them, both on the primary. */
async function store(pipeline: Pipeline, ...records: object[]): Promise<void> {
  await deliver(pipeline.ingest, records);
  await projectAll(pipeline);
}

interface TestedApi {
  get: (path: string) => Promise<Awaited<ReturnType<FastifyInstance['inject']>>>;
  /** Records each change: the reason when the API stops using the standby, and null when it starts using it. */
  changes: unknown[];
}

/** Opens an API's connections to its servers. */
function openServers(connections = 5): ServerPools {
  return new ServerPools({
    role: ROLES.api,
    applicationName: 'milepost-test',
    connections,
    statementTimeoutMilliseconds: 60_000,
  });
}

/** Opens a standby as the API does. */
function openStandby(primary: Pool, readUrl: string, more: Partial<ConstructorParameters<typeof Standby>[0]> = {}) {
  return new Standby({
    primary,
    url: readSettings({ DATABASE_URL: readUrl, DATABASE_URL_READ: readUrl }, standbyUrl) ?? '',
    pools: openServers(),
    probe: checkReadTables,
    onChange: () => {},
    maxDelayMilliseconds: LONG_MILLISECONDS,
    ...more,
  });
}

interface ApiOptions {
  readUrl?: string;
  maxDelayMilliseconds?: number;
  /** If set, every response from the primary fails. */
  answersFrom?: 'standby';
}

/** Builds the API on a primary and, optionally, a standby. */
async function openApi(primaryUrl: string, key: string, options: ApiOptions = {}): Promise<TestedApi> {
  const { readUrl, maxDelayMilliseconds = LONG_MILLISECONDS } = options;
  const log = new TestLog({ url: primaryUrl });
  const directory = untilTestEnds(openDirectory(primaryUrl, ROLES.api));
  const pool = openPool(primaryUrl, ROLES.api);
  const changes: unknown[] = [];
  const onChange = (reason: unknown) => changes.push(reason);
  const standby =
    readUrl === undefined
      ? undefined
      : untilTestEnds(openStandby(directory, readUrl, { onChange, maxDelayMilliseconds }));
  const own = { pool, directory, standby, now: () => DEFAULT_NOW, requireContentType: false };
  const api = await openWorldApi(log, own);
  if (options.answersFrom === 'standby') await pool.end();
  else untilTestEnds(pool);
  // The API is closed before its connections.
  untilTestEnds(log);
  if (standby) await expect.poll(() => changes.length).toBeGreaterThan(0);
  const headers = { authorization: `APIKEY ${key}` };
  return { get: async (path) => await api.inject({ url: path, headers }), changes };
}

describe('the API with a standby', () => {
  let replication: Replication;
  let pipeline: Pipeline;
  let key: string;
  /** The superuser's pool on the standby. */
  let copy: Pool;

  beforeAll(async () => {
    replication = await startReplication();
    const { primary, standby } = replication;
    await migrateParts(primary.url);
    pipeline = await openPipeline(undefined, { url: primary.url, drop: replication.stop });
    copy = openPool(standby.url);
    await store(pipeline, driverProfile(), tripProcessed({ tracking_id: 'tracking-1' }));
  });
  afterAll(async () => {
    await copy?.end();
    await pipeline?.close();
  });
  beforeEach(async () => {
    key = await createApiKey(pipeline.directory, 'acme');
  });
  afterEach(async () => void (await resumeReplay()));

  /** Pauses WAL replay on the standby. Resolves when the replay is paused. */
  async function pauseReplay(): Promise<void> {
    await copy.query('SELECT pg_wal_replay_pause()');
    await expect.poll(() => firstValue(copy, 'SELECT pg_get_wal_replay_pause_state()')).toBe('paused');
  }

  const resumeReplay = async () => await copy.query('SELECT pg_wal_replay_resume()');

  /** Builds the API on the primary and its standby. */
  const openReading = async (options: ApiOptions = {}) =>
    await openApi(replication.primary.url, key, { readUrl: replication.standby.url, ...options });

  const readDrivers = async (api: TestedApi) => {
    const { statusCode, headers } = await api.get('/api/v1/drivers');
    return {
      statusCode,
      position: Number(headers['milepost-position']),
      lag: Number(headers['milepost-lag-seconds']),
    };
  };

  it('gives the same responses as the primary at all five endpoints', async () => {
    const ofPrimary = await openApi(replication.primary.url, key);
    const ofStandby = await openReading({ answersFrom: 'standby' });
    for (const path of PATHS) {
      const expected = await ofPrimary.get(path);
      expect(expected.statusCode).toBe(200);
      const read = async () => {
        const { statusCode, body, headers } = await ofStandby.get(path);
        return { statusCode, body, etag: headers['etag'], position: headers['milepost-position'] };
      };
      await expect.poll(read).toEqual({
        statusCode: 200,
        body: expected.body,
        etag: expected.headers['etag'],
        position: expected.headers['milepost-position'],
      });
    }
  });

  it('responds from the standby only for lanes on the server of its primary', async () => {
    const primary = openServers(2).open(directoryAt(replication.primary.url));
    const own = openServers().open(laneAt(replication.primary.url));
    const node = { usable: async () => 'other:5432', forget: () => {} };
    const other = openServers().open({ ...laneAt(replication.primary.url), host: node });
    const standby = openStandby(primary, replication.standby.url);
    for (const pool of [primary, own, other, standby]) untilTestEnds(pool);
    const read = async (pool: Pool) => (await standby.read(pool, async () => 'a response'))?.result;
    await expect.poll(async () => await read(own)).toBe('a response');
    expect(await read(other)).toBeUndefined();
    expect([standby.has(own), standby.has(other)]).toEqual([true, false]);
  });

  it('gives no response that is older than it says, and refuses a revoked key within 5 s, while the replay is paused', async () => {
    const api = await openReading({ answersFrom: 'standby' });
    await expect.poll(async () => await readDrivers(api)).toMatchObject({ statusCode: 200, lag: 0 });
    await pauseReplay();
    const { position } = await readDrivers(await openApi(replication.primary.url, key));
    await store(pipeline, tripProcessed({ source_trip_id: 'trip-2' }));
    const storedAt = performance.now();
    for (let longest = 0; longest < 2; ) {
      const askedAt = performance.now();
      const answer = await readDrivers(api);
      // A busy standby may miss its check.
      if (answer.statusCode !== 200) continue;
      expect(answer.position).toBe(position);
      expect(answer.lag).toBeGreaterThanOrEqual(Math.floor((askedAt - storedAt) / 1_000));
      longest = answer.lag;
    }

    await pipeline.directory.query('UPDATE api_key SET revoked_at = now()');
    const revokedAt = performance.now();
    while ((await readDrivers(api)).statusCode !== 401) await delay(20);
    expect(performance.now() - revokedAt).toBeLessThan(5_000);
    await pipeline.directory.query('UPDATE api_key SET revoked_at = NULL');

    await resumeReplay();
    const expected = { statusCode: 200, position: position + 1, lag: 0 };
    await expect.poll(async () => await readDrivers(api)).toEqual(expected);
  });

  it('reports how far the read tables are behind, even if the standby itself has no delay', async () => {
    const api = await openReading({ answersFrom: 'standby' });
    onTestFinished(async () => await projectAll(pipeline));
    await deliver(pipeline.ingest, [tripProcessed({ source_trip_id: 'trip-waiting' })]);
    const last = 'WHERE position = (SELECT max(position) FROM stored_event)';
    await pipeline.owner.query(`UPDATE stored_event SET stored_at = now() - interval '1 hour' ${last}`);
    const age = `SELECT extract(epoch FROM now() - stored_at)::float8 FROM stored_event ${last}`;
    await expect.poll(() => firstValue(copy, age)).toBeGreaterThan(3_599);
    let answer = await readDrivers(api);
    // A busy standby may miss its check.
    while (answer.statusCode !== 200) answer = await readDrivers(api);
    expect(answer.lag).toBeGreaterThanOrEqual(3_600);
  });

  it('reads from the primary while the standby is too far behind', async () => {
    const api = await openReading({ maxDelayMilliseconds: 1_000 });
    await pauseReplay();
    const { position } = await readDrivers(await openApi(replication.primary.url, key));
    await store(pipeline, tripProcessed({ source_trip_id: 'trip-3' }));
    for (let answer = await readDrivers(api); answer.position !== position + 1; answer = await readDrivers(api)) {
      // The lag may exceed the limit of one second by the duration of the query.
      expect(answer.lag).toBeLessThan(10);
    }
    await expect.poll(() => String(api.changes.at(-1))).toContain('more than 1 s behind');
    await resumeReplay();
    await expect.poll(() => api.changes.at(-1)).toBe(null);
  });

  /** Makes the standby hang. Returns the address for the API, and functions that begin and end the fault. */
  async function hang() {
    const { standby } = replication;
    const proxy = await startProxyTo(standby.url);
    onTestFinished(proxy.cut);
    return { readUrl: proxy.url, begin: async () => proxy.freeze(), end: async () => proxy.thaw() };
  }

  /** Makes the replay of a lock wait for a long query on the standby, so that later queries wait for the lock. */
  async function delayLock() {
    const { primary, standby } = replication;
    const reader = untilTestEnds(openPool(standby.url, undefined, 1));
    const begin = async () => {
      await reader.query('BEGIN; SELECT FROM milepost.drivers LIMIT 1');
      await administer(primary.url, ['BEGIN', 'LOCK TABLE milepost.drivers_1 IN ACCESS EXCLUSIVE MODE', 'COMMIT']);
      const waiting = async () => (await copy.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount;
      await expect.poll(waiting).toBeGreaterThan(0);
    };
    return { readUrl: standby.url, begin, end: async () => void (await reader.query('ROLLBACK')) };
  }

  it.each([
    ['while the standby hangs', hang],
    ['while a long query on the standby delays the replay of a lock', delayLock],
  ])('uses the primary for requests that wait %s', async (_what, fault) => {
    const { readUrl, begin, end } = await fault();
    const api = await openReading({ readUrl });
    await expect.poll(() => api.changes.at(-1)).toBe(null);
    await begin();
    const answers = await Promise.all(PATHS.map((path) => api.get(path)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(PATHS.map(() => 200));
    await expect.poll(() => String(api.changes.at(-1))).toContain('did not respond within 500 ms');
    await end();
    await expect.poll(() => api.changes.at(-1)).toBe(null);
  });

  it('checks a connection again however often it is used', async () => {
    const { primary, standby } = replication;
    const pool = untilTestEnds(openPool(primary.url));
    // All reads use the same connection.
    const tested = untilTestEnds(openStandby(pool, standby.url, { pools: openServers(1) }));
    let now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    /**
     * Reads once. If the standby responds, advances the clock by 200 ms and returns the time up to which the response
     * reflects commits. Otherwise, returns 0.
     */
    const read = async () => {
      const answer = await tested.read(pool, async () => {});
      if (answer === null) return 0;
      const freshAt = now - answer.delaySeconds * 1_000;
      now += 200;
      return freshAt;
    };
    let first = 0;
    const readFirst = async () => {
      first = await read();
      return first;
    };
    await expect.poll(readFirst).toBeGreaterThan(0);
    // The margin is larger than rounding errors, but smaller than the 200 ms between two reads.
    await expect.poll(read, { timeout: 10_000 }).toBeGreaterThan(first + 100);
  });

  it('keeps nothing from a completed read in memory', async () => {
    const api = await openReading();
    const read = async (times: number) => {
      for (let time = 0; time < times; time += 1) expect(await readDrivers(api)).toMatchObject({ statusCode: 200 });
    };
    const promises = () => queryObjects(Promise, { format: 'count' });
    await read(20);
    const before = promises();
    await read(500);
    expect(promises() - before).toBeLessThan(250);
    // A busy standby may miss its check.
    await expect.poll(() => api.changes.at(-1)).toBe(null);
  });

  it('reads neither from a primary nor from the standby of another primary', async () => {
    const { home, primary, standby } = replication;
    const directory = join(home, 'other');
    const other = untilTestEnds(await startEmbeddedPostgres({ directory, settings: { fsync: 'off' } }));
    const firstChange = async (url: string, readUrl: string) => {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      const pool = openDirectory(url);
      const tested = openStandby(pool, readUrl, { onChange: resolve });
      try {
        return String(await promise);
      } finally {
        await tested.end();
        await pool.end();
      }
    };
    for (const [url, readUrl, reason] of [
      [primary.url, primary.url, 'the server is not a standby'],
      [other.url, standby.url, 'a standby of another primary'],
    ] as const) {
      let change = await firstChange(url, readUrl);
      // A busy server may miss its first check.
      while (change.includes('did not respond within')) change = await firstChange(url, readUrl);
      expect(change).toContain(reason);
    }
  });
});

/** The API does not use a standby that is further behind. */
const LIMIT_SECONDS = 5;
const TOPIC = 'milepost.trips';
const RECORDS = 3_000;
const BATCH = 20;
const PROMOTED_AT = 1_000;

it('requests succeed while a standby is killed, and clients follow a promotion under load and a new standby without a loss', async () => {
  const { home, primary, standby } = untilTestEnds(await startReplication());
  const [port = 0] = await freePorts(1);
  const at = (...ports: number[]) => {
    const { username, password } = new URL(primary.url);
    return `postgres://${username}:${password}@${ports.map((each) => `127.0.0.1:${each}`).join(',')}/milepost`;
  };
  const settings = {
    // The standby comes first, so a client that simply uses the first host cannot write.
    DATABASE_URL: `${at(standby.port, primary.port)}?target_session_attrs=read-write`,
    DATABASE_URL_READ: at(primary.port, standby.port),
    PORT: String(port),
    // A client that never pauses sends more requests than the default limit allows.
    RATE_LIMIT_PER_MINUTE: '1000000000',
    METRICS_PORT: '0',
    SHUTDOWN_DELAY_SECONDS: '0',
    LOG_LEVEL: 'info',
  };
  const processes = untilTestEnds(new Processes(settings));
  await processes.run('migrate');
  const doctor = await run(['doctor'], processes.settings);
  expect(doctor.stdout).toMatch(
    /^passed +Standby, connection: The server is a standby of the server in DATABASE_URL\.$/m,
  );
  expect(doctor.stdout).toMatch(/^warning +Standby, replay delay: max_standby_streaming_delay is 30s, .*set it to 1s/m);
  const key = (await processes.run('keys', 'create', '--fleet', 'acme')).trim();
  processes.start('projector');
  const api = processes.start('api');
  /** How many times the API has started to read from a standby; `ended` counts how many times it has stopped. */
  const begun = () => api.output().split('The API is reading from the standby.').length - 1;
  const ended = () => api.output().split('The standby is not in use').length - 1;
  const get = async () => await statusOfDrivers(`http://127.0.0.1:${port}`, key);
  await expect.poll(get).toBe(200);
  await expect.poll(begun).toBe(1);
  const metrics = await metricsUrl(api);
  const readDelays = async () => (await scrape(metrics)).series('milepost_standby_delay_seconds');
  const readDelay = async () => (await readDelays())[0]?.value;
  expect((await readDelays()).map(({ labels }) => labels)).toEqual([{ lane: '0' }]);
  await expect.poll(readDelay).toBeLessThan(LIMIT_SECONDS);
  const before = ended();

  const whileStandbyIsDown = await whileReading(1, get, async () => {
    await killServer(standby.directory);
    await expect.poll(ended).toBe(before + 1);
    await expect.poll(readDelay).toBeGreaterThan(LIMIT_SECONDS);
    const again = await startEmbeddedPostgres({ directory: standby.directory, settings: { fsync: 'off' } });
    onTestFinished(again.stop);
    await expect.poll(begun).toBe(2);
    await expect.poll(readDelay).toBeLessThan(LIMIT_SECONDS);
    return again;
  });
  expect(new Set(whileStandbyIsDown.answers)).toEqual(new Set([200]));
  const { url: newPrimary } = whileStandbyIsDown.result;

  const plain = { DATABASE_URL: at(standby.port, primary.port) };
  const url = readSettings(plain, (values) => databaseUrl(values, 'direct')) ?? '';
  const ingest = untilTestEnds(openPool(url, ROLES.ingest, 2));
  const record = (n: number) => (n === 0 ? driverProfile() : tripProcessed({ source_trip_id: `trip-${n}` }));
  const signal = AbortSignal.timeout(120_000);
  let retries = 0;
  const { answers } = await whileReading(1, get, async () => {
    let promotion: Promise<unknown> | undefined;
    for (;;) {
      const { nextOffset } = await retryTransientErrors(() => claimSource(ingest, TOPIC, 0), { signal });
      if (nextOffset >= RECORDS) break;
      if (nextOffset >= PROMOTED_AT && !promotion) {
        await killServer(primary.directory);
        promotion = administer(newPrimary, ['SELECT pg_promote()']);
      }
      const batch = Array.from({ length: BATCH }, (_, index) => record(nextOffset + index));
      // The log itself contains the next offset, so a batch is not repeated if only its COMMIT was cut off.
      await deliver(ingest, batch, TOPIC).catch(() => (retries += 1));
    }
    await promotion;
    await expect.poll(get).toBe(200);
  });
  const promoted = untilTestEnds(openPool(newPrimary));
  const state = async () =>
    (
      await promoted.query(
        `SELECT (SELECT count(*)::int FROM stored_event) AS stored, (SELECT position::int FROM log_head) AS head,
           (SELECT min(checkpoint)::int FROM generation WHERE live) AS checkpoint`,
      )
    ).rows[0];
  await expect.poll(state).toEqual({ stored: RECORDS, head: RECORDS, checkpoint: RECORDS });
  expect(retries).toBeGreaterThan(0);
  expect(await processes.run('audit')).toContain('no faults found');
  expect(answers.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  // The server that a client asks first may be gone forever.
  const reversed = at(primary.port, standby.port);
  expectSuccess(await run(['status'], { DATABASE_URL: reversed }));

  const replaced = await startStandby(newPrimary, standby.directory, join(home, 'replaced'), primary.port);
  onTestFinished(replaced.stop);
  expect(replaced.port).toBe(primary.port);
  await expect.poll(begun).toBeGreaterThan(2);
  expect(await get()).toBe(200);
});
