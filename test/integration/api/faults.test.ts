import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { listen } from '@milepost/http';
import { createPool, inTransaction, type Pool, ROLES } from '@milepost/postgres';
import { createLogger } from '@milepost/service';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { DriverPage } from '../../../apps/api/routes/index.ts';
import { contentOf, problemOf } from '../../support/answers.ts';
import { createTestDatabase } from '../../support/database.ts';
import { send } from '../../support/http.ts';
import { driverProfile } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { createWorld, type World } from '../../support/world.ts';

const PATIENT = { timeout: 20_000, interval: 5 };

describeWithPostgres('the API under faults', () => {
  let world: World;
  let headers: Record<string, string>;
  const endings: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    world = await createWorld();
    await world.ingest([driverProfile()]);
    await world.project();
    headers = { authorization: `APIKEY ${await world.createKey('acme')}`, 'content-type': 'application/json' };
  });
  afterEach(async () => {
    for (const end of endings.splice(0)) await end();
  });
  afterAll(async () => await world?.close());

  const ask = async (api: FastifyInstance, url = '/api/v1/drivers') => await api.inject({ url, headers });

  function openPool(url: string, statementTimeoutMilliseconds = 5_000): Pool {
    const pool = createPool({
      url,
      role: ROLES.api,
      applicationName: 'test-faults',
      connections: 3,
      statementTimeoutMilliseconds,
    });
    endings.push(async () => await pool.end());
    return pool;
  }

  /** A proxy in front of the database, and the address of the database behind it. */
  async function behindProxy() {
    const { hostname, port } = new URL(world.url);
    const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    const url = new URL(world.url);
    url.host = `127.0.0.1:${proxy.port}`;
    return { proxy, url: url.href };
  }

  const DRIVERS = 'read.drivers_1';
  const KEYS = 'access.api_key';

  /** Runs `work` while every reader of a table waits for a lock, and releases it when told to, or at the end. */
  async function whileLocked(table: string, work: (release: () => void) => Promise<void>): Promise<void> {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const locked = Promise.withResolvers<void>();
    const holding = inTransaction(world.pool, async (transaction) => {
      await transaction.run(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      locked.resolve();
      await released;
    });
    await Promise.race([locked.promise, holding]);
    try {
      await work(release);
    } finally {
      release();
      await holding;
    }
  }

  /** Resolves when this many statements wait for a lock. */
  async function untilWaiting(count: number): Promise<void> {
    await expect
      .poll(async () => {
        const { rows } = await world.pool.query(
          "SELECT count(*) AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        return rows[0].waiting;
      }, PATIENT)
      .toBe(count);
  }

  it('answers 503 with Retry-After while the database is away, also for keys not seen before, and recovers by itself', async () => {
    const { proxy, url } = await behindProxy();
    const api = await world.buildApi({ pool: openPool(url) });
    endings.unshift(async () => {
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
    const ready = await api.inject('/readyz');
    expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'not_ready', reason: 'database_unavailable' }]);
    expect((await api.inject('/healthz')).statusCode).toBe(200);
    await proxy.restore();
    contentOf(await ask(api), DriverPage);
    expect((await api.inject('/readyz')).json()).toEqual({ status: 'ready' });
  });

  it('answers 503 before anything was projected, and readyz says why', async () => {
    const database = await createTestDatabase();
    endings.push(database.drop);
    const pool = openPool(database.url);
    endings.reverse();
    const api = await world.buildApi({ pool });
    await pool.query('SELECT 1');
    const ready = await api.inject('/readyz');
    expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'not_ready', reason: 'read_tables_unavailable' }]);
    const admin = createPool({
      url: database.url,
      applicationName: 'test',
      connections: 1,
      statementTimeoutMilliseconds: 0,
    });
    await admin.query("INSERT INTO access.api_key (api_key_id, fleet_id, key_hash) VALUES ('1', 'acme', sha256($1))", [
      Buffer.from(headers['authorization']?.slice('APIKEY '.length) ?? ''),
    ]);
    await admin.end();
    problemOf(await ask(api), 503, 'unavailable');
  });

  it('answers 503 when a statement takes too long', async () => {
    const api = await world.buildApi({ pool: openPool(world.url, 100) });
    await whileLocked(DRIVERS, async () => {
      problemOf(await ask(api), 503, 'unavailable');
    });
    contentOf(await ask(api), DriverPage);
  });

  it('answers 500 without a word about its insides when something breaks that does not pass', async () => {
    const api = await world.buildApi();
    await world.pool.query('ALTER VIEW read.drivers RENAME COLUMN ordinal TO place');
    try {
      const answer = await ask(api);
      const problem = problemOf(answer, 500, 'internal');
      expect(problem.detail).toBe('The request failed through a fault of the service.');
      expect(answer.body).not.toMatch(/ordinal|column|select|postgres|read\./i);
    } finally {
      await world.pool.query('ALTER VIEW read.drivers RENAME COLUMN place TO ordinal');
    }
  });

  describe('more requests than can be worked on', () => {
    /** Bytes of a request for the driver list. */
    const raw = () =>
      `GET /api/v1/drivers HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: ${headers['authorization']}\r\n\r\n`;

    const newKeys = async (count: number) =>
      await Promise.all(Array.from({ length: count }, async () => await world.createKey('acme')));
    const askWith = async (api: FastifyInstance, key: string) =>
      await api.inject({ url: '/api/v1/drivers', headers: { ...headers, authorization: `APIKEY ${key}` } });

    it('wait for their turn, and those that come in time are served', async () => {
      const api = await world.buildApi({ pool: openPool(world.url), longestWaitMilliseconds: 60_000 });
      const origin = await api.listen({ host: '127.0.0.1', port: 0 });
      const keys = await newKeys(5);
      await whileLocked(KEYS, async (release) => {
        // With a pool of three, two are worked on, and one connection is left to those who ask whether the API is ready.
        const answers = keys.slice(0, 2).map((key) => askWith(api, key));
        await untilWaiting(2);
        const gone = connect(Number(new URL(origin).port), '127.0.0.1');
        gone.write(raw());
        answers.push(...keys.slice(2).map((key) => askWith(api, key)));
        expect((await send(origin, { path: '/healthz' })).statusCode).toBe(200);
        expect((await send(origin, { path: '/readyz' })).statusCode).toBe(200);
        await untilWaiting(2);
        // One goes away without its answer: the others get their turn all the same.
        gone.destroy();
        release();
        for (const answer of await Promise.all(answers)) contentOf(answer, DriverPage);
      });
    });

    it('are refused when their turn does not come in time, from then on at once, and with one line of the log', async () => {
      const logger = createLogger('api', 'silent');
      const warn = vi.spyOn(logger, 'warn');
      const api = await world.buildApi({ pool: openPool(world.url), longestWaitMilliseconds: 100, logger });
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
        expect((await api.inject('/readyz')).json()).toEqual({ status: 'ready' });
        expect(warn.mock.calls.filter(([details]) => JSON.stringify(details).includes('overloaded'))).toHaveLength(1);
        // Who asks again at once is heard when that time is over, and then refused once more: it has been too long.
        const insistent = connect(Number(new URL(origin).port), '127.0.0.1');
        let heard = '';
        insistent.setEncoding('utf8').on('data', (text: string) => {
          heard += text;
        });
        insistent.write(raw());
        await expect.poll(() => heard, PATIENT).toMatch(/^HTTP\/1.1 503 .*retry-after: 2/s);
        insistent.write(raw());
        for (let time = 0; time < 5; time += 1) await send(origin, { path: '/healthz' });
        expect(heard.match(/HTTP\/1.1 /g)).toHaveLength(1);
        release();
        await expect.poll(() => heard, PATIENT).toMatch(/HTTP\/1.1 503 .*HTTP\/1.1 503 /s);
        insistent.write(raw());
        await expect.poll(() => heard, PATIENT).toMatch(/HTTP\/1.1 200 /);
        insistent.destroy();
        for (const answer of await Promise.all(worked)) contentOf(answer, DriverPage);
      });
      for (let round = 0; round < 3; round += 1)
        for (const answer of await Promise.all([ask(api), ask(api)])) contentOf(answer, DriverPage);
    });
  });

  it('answers 503 in time while the database hangs, gives up its connections, and recovers by itself', async () => {
    const { proxy, url } = await behindProxy();
    const pool = createPool({
      url,
      role: ROLES.api,
      applicationName: 'test-faults',
      connections: 3,
      statementTimeoutMilliseconds: 4_000,
      silenceMilliseconds: 100,
      acquireTimeoutMilliseconds: 4_000,
    });
    const api = await world.buildApi({ pool, longestTurnMilliseconds: 500 });
    endings.push(async () => {
      await api.close();
      await pool.end();
      await proxy.cut();
    });
    contentOf(await ask(api), DriverPage);
    proxy.freeze();
    const start = performance.now();
    const [ready, ...answers] = await Promise.all([api.inject('/readyz'), ask(api), ask(api)]);
    // The pool's own limits, for the key and then for the statement, would be twice that.
    expect(performance.now() - start).toBeLessThan(4_000);
    expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'not_ready', reason: 'database_unavailable' }]);
    expect((await api.inject('/healthz')).statusCode).toBe(200);
    for (const answer of answers) {
      problemOf(answer, 503, 'unavailable');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    await expect.poll(() => pool.totalCount, PATIENT).toBe(0);
    proxy.thaw();
    contentOf(await ask(api), DriverPage);
    expect((await api.inject('/readyz')).json()).toEqual({ status: 'ready' });
  });

  it('says in its log once when the database goes, and once when it is back', async () => {
    const { proxy, url } = await behindProxy();
    const logger = createLogger('api', 'silent');
    const [warn, info] = [vi.spyOn(logger, 'warn'), vi.spyOn(logger, 'info')];
    const api = await world.buildApi({ pool: openPool(url), logger });
    endings.unshift(async () => {
      await api.close();
      await proxy.cut();
    });
    const told = (calls: unknown[][]) =>
      calls.filter((call) => /The database (does not )?answer/.test(String(call.at(-1))));
    await proxy.cut();
    await expect.poll(() => told(warn.mock.calls), PATIENT).toHaveLength(1);
    for (let time = 0; time < 50; time += 1) problemOf(await ask(api), 503, 'unavailable');
    await proxy.restore();
    await expect.poll(() => told(info.mock.calls), PATIENT).toHaveLength(1);
    // Besides, of fifty requests the first alone has a line.
    expect(warn.mock.calls).toHaveLength(2);
  });

  describe('a graceful stop', () => {
    it('answers the request under way, refuses new connections and says so at readyz', async () => {
      const api = await world.buildApi();
      const origin = await api.listen({ host: '127.0.0.1', port: 0 });
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      await send(origin, { path: '/readyz', agent });
      await whileLocked(DRIVERS, async (release) => {
        const waiting = send(origin, { path: '/api/v1/drivers', headers });
        await untilWaiting(1);
        const closed = api.close();
        const connecting = async () => await send(origin, { path: '/healthz' }).then(String, (error) => error.code);
        await expect.poll(connecting, PATIENT).toBe('ECONNREFUSED');
        const ready = await send(origin, { path: '/readyz', agent });
        expect([ready.statusCode, JSON.parse(ready.body)]).toEqual([503, { status: 'not_ready', reason: 'stopping' }]);
        expect(ready.headers['connection']).toBe('close');
        release();
        contentOf(await waiting, DriverPage);
        await closed;
      });
      agent.destroy();
    });

    it('cuts no request under load: each is answered in full, until new connections are refused', async () => {
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

    it('answers what came on a connection that is left unread for a while after a refusal', async () => {
      const api = await world.buildApi({ pool: openPool(world.url), longestWaitMilliseconds: 100 });
      const port = Number(new URL(await api.listen({ host: '127.0.0.1', port: 0 })).port);
      const keys = [await world.createKey('acme'), await world.createKey('acme')];
      await whileLocked(KEYS, async (release) => {
        const worked = keys.map(
          async (key) =>
            await api.inject({ url: '/api/v1/drivers', headers: { ...headers, authorization: `APIKEY ${key}` } }),
        );
        await untilWaiting(2);
        const refused = connect(port, '127.0.0.1');
        let heard = '';
        refused.setEncoding('utf8').on('data', (text: string) => {
          heard += text;
        });
        const request = `GET /api/v1/drivers HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers['authorization']}\r\n\r\n`;
        refused.write(request);
        await expect.poll(() => heard, PATIENT).toMatch(/^HTTP\/1.1 503 .*overloaded/s);
        refused.write(request);
        const closed = api.close();
        await once(refused, 'close');
        expect(heard).toMatch(/HTTP\/1.1 503 .*HTTP\/1.1 503 [^{]*Connection: close/s);
        release();
        for (const answer of await Promise.all(worked)) contentOf(answer, DriverPage);
        await closed;
      });
    });

    it('does not wait for idle connections, nor for those on which nothing was ever sent', async () => {
      const api = await world.buildApi();
      const origin = await api.listen({ host: '127.0.0.1', port: 0 });
      const agent = new Agent({ keepAlive: true });
      await send(origin, { path: '/healthz', agent });
      const silent = connect(Number(new URL(origin).port), '127.0.0.1');
      await once(silent, 'connect');
      const started = performance.now();
      await api.close();
      // Waiting for them would end after 21 s.
      expect(performance.now() - started).toBeLessThan(10_000);
      agent.destroy();
      silent.destroy();
    });
  });

  it('says in one sentence why it cannot open its port', async () => {
    const [first, second] = [await world.buildApi(), await world.buildApi()];
    const port = Number(new URL(await listen(first, '127.0.0.1', 0, 'PORT')).port);
    await expect(listen(second, '127.0.0.1', port, 'PORT')).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is taken: stop the program that uses it, or set PORT to another one.`,
    );
    const third = await world.buildApi();
    await expect(listen(third, '203.0.113.1', 0, 'PORT')).rejects.toThrow('203.0.113.1 is no address of this machine');
  });
});
