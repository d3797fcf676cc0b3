import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { directoryAt, laneAt, ROLES } from '@milepost/postgres';
import { createLogger } from '@milepost/service';
import type { FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DriverPage } from '../../apps/api/routes/index.ts';
import { contentOf, problemOf } from '../support/answers.ts';
import { createTestDatabase } from '../support/database.ts';
import { perSuite, untilTestEnds } from '../support/fixtures.ts';
import { headersOf, send } from '../support/http.ts';
import { lockWaiters, whileLocked } from '../support/locks.ts';
import { openDirectory, openPartPool } from '../support/pipeline.ts';
import { driverProfile } from '../support/records.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { startProxyTo } from '../support/tcp-proxy.ts';
import { createApiKey, createWorld } from '../support/world.ts';

const PATIENT = { timeout: 20_000, interval: 5 };

describeWithPostgres('the API', () => {
  const world = perSuite(createWorld);
  let key: string;

  beforeAll(async () => {
    await world.take([driverProfile()]);
    key = await world.createKey('acme');
  });

  /** A slow check (800 ms or more) counts as failed, so this polls `/readyz` until it returns the given response. */
  const expectReadiness = async (api: FastifyInstance, status: number, body: object) =>
    await expect
      .poll(async () => {
        const ready = await api.inject('/readyz');
        return [ready.statusCode, ready.json()];
      }, PATIENT)
      .toEqual([status, body]);

  const ask = async (api: FastifyInstance, ownKey = key) =>
    await api.inject({ url: '/api/v1/drivers', headers: headersOf(ownKey) });

  /** Returns the bytes of a request for the driver list. */
  const raw = () =>
    `GET /api/v1/drivers HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: APIKEY ${key}\r\n\r\n`;

  const newKeys = async (count: number) =>
    await Promise.all(Array.from({ length: count }, async () => await world.createKey('acme')));

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

  /** Sends a request with each key. All requests wait for a lock on the table of keys until `until` resolves. */
  const whileKeysWait = async (api: FastifyInstance, keys: readonly string[], until: () => Promise<void>) => {
    const waiting = async () => {
      await lockWaiters(world.directory, keys.length);
      await until();
    };
    const answers = await whileLocked(
      world.directory,
      'LOCK TABLE api_key IN ACCESS EXCLUSIVE MODE',
      waiting,
      async () => await Promise.all(keys.map((each) => ask(api, each))),
    );
    for (const answer of answers) contentOf(answer, DriverPage);
  };

  it('returns 503 with Retry-After while the database is unavailable, even for new keys, and recovers', async () => {
    const proxy = untilTestEnds(await startProxyTo(world.url));
    const api = untilTestEnds(await world.buildApi(openPools(proxy.url)));
    contentOf(await ask(api), DriverPage);
    await proxy.cut();
    for (const each of [key, await world.createKey('acme')]) {
      const answer = await ask(api, each);
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
    const ownKey = await createApiKey(untilTestEnds(openDirectory(database.url)), 'acme');
    problemOf(await ask(api, ownKey), 503, 'unavailable');
  });

  it('returns 503 when a statement times out', async () => {
    const api = await world.buildApi(openPools(world.url, { statementTimeoutMilliseconds: 500 }));
    const refused = async () => problemOf(await ask(api), 503, 'unavailable');
    await whileLocked(world.pool, 'LOCK TABLE drivers_1 IN ACCESS EXCLUSIVE MODE', refused, async () => {});
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

  it('refuses a request that waits too long, then refuses later requests immediately, and logs only one line', async () => {
    const logger = createLogger('api', 'silent');
    const warn = vi.spyOn(logger, 'warn');
    const api = await world.buildApi({ ...openPools(world.url), maxWaitMilliseconds: 100, logger });
    const origin = await api.listen({ host: '127.0.0.1', port: 0 });
    const keys = await newKeys(2);
    const { socket: retrying, heard } = await openSocket(origin);
    await whileKeysWait(api, keys, async () => {
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
      retrying.write(raw());
      await expect.poll(heard, PATIENT).toMatch(/^HTTP\/1.1 503 .*retry-after: 2/s);
      retrying.write(raw());
      for (let time = 0; time < 5; time += 1) await send(origin, { path: '/healthz' });
      expect(heard().match(/HTTP\/1.1 /g)).toHaveLength(1);
    });
    await expect.poll(heard, PATIENT).toMatch(/HTTP\/1.1 503 .*HTTP\/1.1 503 /s);
    retrying.write(raw());
    await expect.poll(heard, PATIENT).toMatch(/HTTP\/1.1 200 /);
    retrying.destroy();
    for (let round = 0; round < 3; round += 1)
      for (const answer of await Promise.all([ask(api), ask(api)])) contentOf(answer, DriverPage);
  });

  it('returns 503 in time while the database hangs, closes the hanging connections, and recovers automatically', async () => {
    const proxy = untilTestEnds(await startProxyTo(world.url));
    const pools = openPools(proxy.url, {
      statementTimeoutMilliseconds: 8_000,
      silenceMilliseconds: 100,
      acquireTimeoutMilliseconds: 8_000,
    });
    const api = untilTestEnds(await world.buildApi({ ...pools, maxTurnMilliseconds: 500 }));
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
    // The API continues to open connections to the directory, to check it and to record the uses of keys.
    await expect.poll(() => pools.pool.totalCount).toBe(0);
    proxy.thaw();
    await untilServed(api);
    await expectReadiness(api, 200, { status: 'ready' });
  });

  it('logs one line when the database becomes unavailable, and one when it is back', async () => {
    const proxy = untilTestEnds(await startProxyTo(world.url));
    const logger = createLogger('api', 'silent');
    const [warn, info] = [vi.spyOn(logger, 'warn'), vi.spyOn(logger, 'info')];
    const api = untilTestEnds(await world.buildApi({ ...openPools(proxy.url), logger }));
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
    it('also responds to requests on a connection that is not read for a while after a refusal', async () => {
      const api = await world.buildApi({ ...openPools(world.url), maxWaitMilliseconds: 100 });
      const origin = await api.listen({ host: '127.0.0.1', port: 0 });
      const keys = await newKeys(2);
      let closed: Promise<unknown> | undefined;
      await whileKeysWait(api, keys, async () => {
        const refused = await openSocket(origin);
        refused.socket.write(raw());
        await expect.poll(refused.heard, PATIENT).toMatch(/^HTTP\/1.1 503 .*overloaded/s);
        refused.socket.write(raw());
        closed = api.close();
        await refused.closed;
        expect(refused.heard()).toMatch(/HTTP\/1.1 503 .*HTTP\/1.1 503 [^{]*Connection: close/s);
      });
      await closed;
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
  });
});
