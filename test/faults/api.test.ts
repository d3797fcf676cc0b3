import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { directoryAt, laneAt, type Pool, ROLES } from '@milepost/postgres';
import { createLogger } from '@milepost/service';
import type { FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DriverPage } from '../../apps/api/routes/index.ts';
import { contentOf, problemOf } from '../support/answers.ts';
import { createTestDatabase } from '../support/database.ts';
import { perSuite, untilTestEnds } from '../support/fixtures.ts';
import { send } from '../support/http.ts';
import { openDirectory, openPartPool } from '../support/pipeline.ts';
import { driverProfile } from '../support/records.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { startProxyTo } from '../support/tcp-proxy.ts';
import { createWorld } from '../support/world.ts';

const PATIENT = { timeout: 20_000, interval: 5 };

describeWithPostgres('the API', () => {
  const world = perSuite(createWorld);
  let headers: Record<string, string>;

  beforeAll(async () => {
    await world.take([driverProfile()]);
    headers = { authorization: `APIKEY ${await world.createKey('acme')}`, 'content-type': 'application/json' };
  });

  /** A slow check (800 ms or more) counts as failed, so this polls `/readyz` until it returns the given response. */
  const expectReadiness = async (api: FastifyInstance, status: number, body: object) =>
    await expect
      .poll(async () => {
        const ready = await api.inject('/readyz');
        return [ready.statusCode, ready.json()];
      }, PATIENT)
      .toEqual([status, body]);

  const ask = async (api: FastifyInstance, url = '/api/v1/drivers') => await api.inject({ url, headers });

  /** Returns the bytes of a request for the driver list. */
  const raw = () =>
    `GET /api/v1/drivers HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: ${headers['authorization']}\r\n\r\n`;

  const newKeys = async (count: number) =>
    await Promise.all(Array.from({ length: count }, async () => await world.createKey('acme')));
  const askWith = async (api: FastifyInstance, key: string) =>
    await api.inject({ url: '/api/v1/drivers', headers: { ...headers, authorization: `APIKEY ${key}` } });

  /** Waits until the API serves a request again. On a slow machine, the first requests may exceed a short limit. */
  const untilServed = async (api: FastifyInstance) =>
    await expect.poll(async () => (await ask(api)).statusCode, PATIENT).toBe(200);

  /** Opens a connection to the API, and collects what the API sends. */
  async function openSocket(origin: string) {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    let heard = '';
    socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
    await once(socket, 'connect');
    return { socket, heard: () => heard, closed: once(socket, 'close') };
  }

  /** Opens the API's pools on a database's lane and directory. */
  const openPools = (url: string, limits: Parameters<typeof openPartPool>[3] = {}) => ({
    pool: untilTestEnds(openPartPool(laneAt(url), ROLES.api, 3, limits)),
    directory: untilTestEnds(openPartPool(directoryAt(url), ROLES.api, 3, limits)),
  });

  const DRIVERS = () => [world.pool, 'drivers_1'] as const;
  const KEYS = () => [world.directory, 'api_key'] as const;

  /**
   * Runs `work` while a lock makes all readers of a table wait. The lock is released when `work` calls `release` or
   * ends.
   */
  async function whileLocked(
    locked: () => readonly [Pool, string],
    work: (release: () => void) => Promise<void>,
  ): Promise<void> {
    const [owner, table] = locked();
    const holder = await owner.connect();
    let released: Promise<unknown> | undefined;
    const release = () => (released ??= holder.query('ROLLBACK').finally(() => holder.release(true)));
    try {
      // On a busy machine, the server would end the idle transaction, and with it the lock, before `work` ends.
      await holder.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
      await holder.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      await work(release);
    } finally {
      await release();
    }
  }

  /** Resolves when this many statements, apart from readiness checks, are waiting for a lock. */
  async function untilWaiting(count: number): Promise<void> {
    await expect
      .poll(async () => {
        const { rows } = await world.pool.query(
          `SELECT count(*) AS waiting FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock' AND query NOT LIKE '%AS found'`,
        );
        return rows[0].waiting;
      }, PATIENT)
      .toBe(count);
  }

  it('returns 503 with Retry-After while the database is unavailable, even for new keys, and recovers', async () => {
    const proxy = await startProxyTo(world.url);
    const api = await world.buildApi(openPools(proxy.url));
    onTestFinished(async () => {
      await api.close();
      await proxy.cut();
    });
    contentOf(await ask(api), DriverPage);
    await proxy.cut();
    for (const authorization of [headers['authorization'], `APIKEY ${await world.createKey('acme')}`]) {
      const answer = await api.inject({ url: '/api/v1/drivers', headers: { ...headers, authorization } });
      expect(problemOf(answer, 503, 'unavailable').detail).toBe('The data cannot be read at the moment.');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    await expectReadiness(api, 503, { status: 'not_ready', reason: 'database_unavailable' });
    expect((await api.inject('/healthz')).statusCode).toBe(200);
    await proxy.restore();
    contentOf(await ask(api), DriverPage);
    await expectReadiness(api, 200, { status: 'ready' });
  });

  it('returns 503 before the first projection, and gives the reason at readyz', async () => {
    const database = untilTestEnds(await createTestDatabase());
    const pools = openPools(database.url);
    const api = await world.buildApi(pools);
    await pools.pool.query('SELECT 1');
    await expectReadiness(api, 503, { status: 'not_ready', reason: 'read_tables_unavailable' });
    const admin = openDirectory(database.url);
    await admin.query("INSERT INTO api_key (api_key_id, fleet_id, key_hash) VALUES ('1', 'acme', sha256($1))", [
      Buffer.from(headers['authorization']?.slice('APIKEY '.length) ?? ''),
    ]);
    await admin.end();
    problemOf(await ask(api), 503, 'unavailable');
  });

  it('returns 503 when a statement times out', async () => {
    const api = await world.buildApi(openPools(world.url, { statementTimeoutMilliseconds: 500 }));
    await whileLocked(DRIVERS, async () => {
      problemOf(await ask(api), 503, 'unavailable');
    });
    await untilServed(api);
  });

  it('returns 500 without internal details for a permanent fault', async () => {
    const api = await world.buildApi();
    await world.pool.query('ALTER VIEW drivers RENAME COLUMN ordinal TO place');
    onTestFinished(async () => void (await world.pool.query('ALTER VIEW drivers RENAME COLUMN place TO ordinal')));
    const answer = await ask(api);
    const problem = problemOf(answer, 500, 'internal');
    expect(problem.detail).toBe('The request failed because of a fault in the service.');
    expect(answer.body).not.toMatch(/ordinal|column|select|postgres|read\./i);
  });

  describe('under requests beyond its capacity', () => {
    it('lets requests wait for their turn, and serves them if they do not wait too long', async () => {
      const api = await world.buildApi({ ...openPools(world.url), maxWaitMilliseconds: 60_000 });
      const origin = await api.listen({ host: '127.0.0.1', port: 0 });
      const keys = await newKeys(5);
      await whileLocked(KEYS, async (release) => {
        // With a pool of three connections, two requests are processed, because one connection is reserved for checks.
        const answers = keys.slice(0, 2).map((key) => askWith(api, key));
        await untilWaiting(2);
        const gone = connect(Number(new URL(origin).port), '127.0.0.1');
        gone.write(raw());
        answers.push(...keys.slice(2).map((key) => askWith(api, key)));
        expect((await send(origin, { path: '/healthz' })).statusCode).toBe(200);
        await expectReadiness(api, 200, { status: 'ready' });
        await untilWaiting(2);
        // One client disconnects before it gets its response. The other clients still get their responses.
        gone.destroy();
        release();
        for (const answer of await Promise.all(answers)) contentOf(answer, DriverPage);
      });
    });

    it('refuses a request that waits too long, then refuses later requests immediately, and logs only one line', async () => {
      const logger = createLogger('api', 'silent');
      const warn = vi.spyOn(logger, 'warn');
      const api = await world.buildApi({ ...openPools(world.url), maxWaitMilliseconds: 100, logger });
      const origin = await api.listen({ host: '127.0.0.1', port: 0 });
      const keys = await newKeys(2);
      await whileLocked(KEYS, async (release) => {
        const worked = keys.map((key) => askWith(api, key));
        await untilWaiting(2);
        for (let time = 0; time < 100; time += 1) {
          const refused = await ask(api);
          problemOf(refused, 503, 'overloaded');
          expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
        }
        expect((await api.inject('/healthz')).statusCode).toBe(200);
        await expectReadiness(api, 200, { status: 'ready' });
        expect(warn.mock.calls.filter(([details]) => JSON.stringify(details).includes('overloaded'))).toHaveLength(1);
        // If a client retries immediately, the server does not read its request until the time in Retry-After has
        // passed. It then refuses this request, because the request has waited too long.
        const { socket: retrying, heard } = await openSocket(origin);
        retrying.write(raw());
        await expect.poll(heard, PATIENT).toMatch(/^HTTP\/1.1 503 .*retry-after: 2/s);
        retrying.write(raw());
        for (let time = 0; time < 5; time += 1) await send(origin, { path: '/healthz' });
        expect(heard().match(/HTTP\/1.1 /g)).toHaveLength(1);
        release();
        await expect.poll(heard, PATIENT).toMatch(/HTTP\/1.1 503 .*HTTP\/1.1 503 /s);
        retrying.write(raw());
        await expect.poll(heard, PATIENT).toMatch(/HTTP\/1.1 200 /);
        retrying.destroy();
        for (const answer of await Promise.all(worked)) contentOf(answer, DriverPage);
      });
      for (let round = 0; round < 3; round += 1)
        for (const answer of await Promise.all([ask(api), ask(api)])) contentOf(answer, DriverPage);
    });

    it('lets requests wait again after a request has ended, even if an earlier request waited too long', async () => {
      const api = await world.buildApi({ ...openPools(world.url), maxWaitMilliseconds: 2_000 });
      for (const isRefused of [true, false]) {
        const keys = await newKeys(2);
        await whileLocked(KEYS, async (release) => {
          const worked = keys.map((key) => askWith(api, key));
          await untilWaiting(2);
          const waiting = ask(api);
          if (isRefused) problemOf(await waiting, 503, 'overloaded');
          release();
          if (!isRefused) contentOf(await waiting, DriverPage);
          for (const answer of await Promise.all(worked)) contentOf(answer, DriverPage);
        });
      }
    });
  });

  it('returns 503 in time while the database hangs, closes the hanging connections, and recovers automatically', async () => {
    const proxy = await startProxyTo(world.url);
    onTestFinished(proxy.cut);
    const pools = openPools(proxy.url, {
      statementTimeoutMilliseconds: 8_000,
      silenceMilliseconds: 100,
      acquireTimeoutMilliseconds: 8_000,
    });
    const api = await world.buildApi({ ...pools, maxTurnMilliseconds: 500 });
    onTestFinished(async () => await api.close());
    await untilServed(api);
    proxy.freeze();
    const start = performance.now();
    const [ready, ...answers] = await Promise.all([api.inject('/readyz'), ask(api), ask(api)]);
    // On an idle machine, this takes half a second. The pool's own limits are higher.
    expect(performance.now() - start).toBeLessThan(7_000);
    expect(ready.headers['retry-after']).toBe('2');
    expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'not_ready', reason: 'database_unavailable' }]);
    expect((await api.inject('/healthz')).statusCode).toBe(200);
    for (const answer of answers) {
      problemOf(answer, 503, 'unavailable');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    // The API continues to open connections to the directory, to check it and to write the uses of keys.
    await expect.poll(() => pools.pool.totalCount).toBe(0);
    proxy.thaw();
    await untilServed(api);
    await expectReadiness(api, 200, { status: 'ready' });
  });

  it('logs one line when the database becomes unavailable, and one when it is back', async () => {
    const proxy = await startProxyTo(world.url);
    const logger = createLogger('api', 'silent');
    const [warn, info] = [vi.spyOn(logger, 'warn'), vi.spyOn(logger, 'info')];
    const api = await world.buildApi({ ...openPools(proxy.url), logger });
    onTestFinished(async () => {
      await api.close();
      await proxy.cut();
    });
    const told = (calls: unknown[][]) =>
      calls.filter((call) => /The database is (not )?responding/.test(String(call.at(-1))));
    await proxy.cut();
    await expect.poll(() => told(warn.mock.calls), PATIENT).toHaveLength(1);
    for (let time = 0; time < 50; time += 1) problemOf(await ask(api), 503, 'unavailable');
    await proxy.restore();
    await expect.poll(() => told(info.mock.calls), PATIENT).toHaveLength(1);
    // Of fifty requests, only the first has its own line.
    expect(warn.mock.calls).toHaveLength(2);
  });

  describe('during a graceful stop', () => {
    it('completes the running request, refuses new connections and reports the stop at readyz', async () => {
      const api = await world.buildApi();
      const origin = await api.listen({ host: '127.0.0.1', port: 0 });
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      await send(origin, { path: '/readyz', agent });
      await whileLocked(DRIVERS, async (release) => {
        const waiting = send(origin, { path: '/api/v1/drivers', headers });
        await untilWaiting(1);
        const closed = api.close();
        const connecting = async () => await send(origin, { path: '/healthz' }).then(String, (error) => error.code);
        // The port stays open while connections keep arriving, so the test waits longer between its attempts.
        await expect.poll(connecting, { ...PATIENT, interval: 500 }).toBe('ECONNREFUSED');
        const ready = await send(origin, { path: '/readyz', agent });
        expect([ready.statusCode, JSON.parse(ready.body)]).toEqual([503, { status: 'not_ready', reason: 'stopping' }]);
        expect(ready.headers['connection']).toBe('close');
        release();
        contentOf(await waiting, DriverPage);
        await closed;
      });
      agent.destroy();
    });

    it('responds completely to every request under load, until new connections are refused', async () => {
      const api = await world.buildApi();
      const origin = await api.listen({ host: '127.0.0.1', port: 0 });
      let answered = 0;
      const clients = Array.from({ length: 20 }, async () => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        for (;;) {
          try {
            contentOf(await send(origin, { path: '/api/v1/drivers', headers, agent }), DriverPage);
            answered += 1;
          } catch (error) {
            agent.destroy();
            return error;
          }
        }
      });
      await expect.poll(() => answered, PATIENT).toBeGreaterThan(100);
      const before = answered;
      await api.close();
      const errors = await Promise.all(clients);
      expect(answered).toBeGreaterThanOrEqual(before);
      for (const error of errors) expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    });

    it('also responds to requests on a connection that is not read for a while after a refusal', async () => {
      const api = await world.buildApi({ ...openPools(world.url), maxWaitMilliseconds: 100 });
      const origin = await api.listen({ host: '127.0.0.1', port: 0 });
      const keys = await newKeys(2);
      await whileLocked(KEYS, async (release) => {
        const worked = keys.map((key) => askWith(api, key));
        await untilWaiting(2);
        const refused = await openSocket(origin);
        refused.socket.write(raw());
        await expect.poll(refused.heard, PATIENT).toMatch(/^HTTP\/1.1 503 .*overloaded/s);
        refused.socket.write(raw());
        const closed = api.close();
        await refused.closed;
        expect(refused.heard()).toMatch(/HTTP\/1.1 503 .*HTTP\/1.1 503 [^{]*Connection: close/s);
        release();
        for (const answer of await Promise.all(worked)) contentOf(answer, DriverPage);
        await closed;
      });
    });

    it('responds to requests whose first bytes have arrived, even long after closing idle connections', async () => {
      const api = await world.buildApi();
      const accepted: Socket[] = [];
      api.server.on('connection', (socket) => accepted.push(socket));
      const origin = await api.listen({ host: '127.0.0.1', port: 0 });
      const [begun, idle, fresh] = [await openSocket(origin), await openSocket(origin), await openSocket(origin)];
      for (const { socket, heard } of [begun, idle]) {
        socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
        await expect.poll(heard, PATIENT).toMatch(/"ok"\}$/);
      }
      const bytesRead = () => accepted.reduce((sum, socket) => sum + socket.bytesRead, 0);
      const before = bytesRead();
      for (const { socket } of [begun, fresh]) socket.write('GET /');
      await expect.poll(bytesRead, PATIENT).toBe(before + 2 * 'GET /'.length);
      const closed = api.close();
      await idle.closed;
      for (const { socket } of [begun, fresh]) socket.write('healthz HTTP/1.1\r\nHost: x\r\n\r\n');
      await Promise.all([begun.closed, fresh.closed]);
      for (const { heard } of [begun, fresh])
        expect(heard()).toMatch(/200 OK\r\n[^{]*connection: close[^{]*\{"status":"ok"\}$/i);
      await closed;
    });

    it('does not wait for idle connections or for connections without a request', async () => {
      const api = await world.buildApi();
      const origin = await api.listen({ host: '127.0.0.1', port: 0 });
      const agent = new Agent({ keepAlive: true });
      await send(origin, { path: '/healthz', agent });
      const { socket: silent } = await openSocket(origin);
      const started = performance.now();
      await api.close();
      // If the server waited for these connections, the stop would take 21 s.
      expect(performance.now() - started).toBeLessThan(10_000);
      agent.destroy();
      silent.destroy();
    });
  });
});
