import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { isTransientError, laneAt, ROLES } from '@milepost/postgres';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startPostgresProxy } from '../support/faults/postgres-proxy.ts';
import { openPartPool, openPool } from '../support/pipeline.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { freePorts } from '../support/services/free-port.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { administer } from '../support/template.ts';

const STARTUP_PARAMETERS = /(options|statement_timeout|search_path|role|idle_in_transaction_session_timeout)\0/;

describeWithPostgres('a connection', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => await database?.drop());

  it('sends no startup parameters that a pooler refuses, and has its settings before its first use', async () => {
    let startup = '';
    const proxy = await startPostgresProxy(database.url, (client, openUpstream) => {
      client.once('data', (bytes) => (startup ||= bytes.toString('latin1')));
      client.pipe(openUpstream()).pipe(client);
    });
    onTestFinished(() => proxy.close());
    await administer(database.url, [
      `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET extra_float_digits = 0`,
    ]);
    const pool = openPool(proxy.url, ROLES.api, 1);
    const { rows } = await pool.query(
      `SELECT current_setting('extra_float_digits') AS digits, current_user AS role, current_setting('search_path') AS path, current_setting('statement_timeout') AS timeout,
         current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('timezone') AS zone`,
    );
    await pool.end();
    expect(rows).toEqual([
      { digits: '1', role: ROLES.api, path: 'milepost', timeout: '1min', idle: '1min', zone: 'UTC' },
    ]);
    expect(startup).toContain('application_name\0milepost-test');
    expect(startup).not.toMatch(STARTUP_PARAMETERS);
  });

  it('fails in time if the server hangs after the login', async () => {
    const proxy = await startPostgresProxy(database.url, (client, openUpstream) => {
      const upstream = openUpstream();
      upstream.pipe(client);
      // The message with the settings never arrives.
      client.on('data', (bytes) => !bytes.includes('SET ') && upstream.write(bytes));
    });
    onTestFinished(() => proxy.close());
    const pool = openPool(proxy.url, ROLES.api, 1);
    const started = performance.now();
    await expect(pool.query('SELECT')).rejects.toThrow('timeout exceeded when trying to connect');
    expect(performance.now() - started).toBeLessThan(6_000);
    await pool.end();
  });

  /** Listens on a local port but never responds. Returns the `host:port`. */
  async function startHangingServer(): Promise<string> {
    const sockets = new Set<Socket>();
    const hanging = createServer((socket) => void sockets.add(socket));
    const [port = 0] = await freePorts(1);
    await new Promise<void>((resolve) => hanging.listen(port, '127.0.0.1', resolve));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      hanging.close();
    });
    return `127.0.0.1:${port}`;
  }

  it('goes to the host that accepts writes, while others hang or refuse connections', async () => {
    const [closed = 0] = await freePorts(1);
    const url = new URL(database.url);
    url.searchParams.set('other_hosts', `127.0.0.1:${closed},${url.host}`);
    url.host = await startHangingServer();
    const pool = openPartPool(laneAt(url.href), ROLES.api, 2);
    const started = performance.now();
    expect((await pool.query('SELECT current_user AS role')).rows).toEqual([{ role: ROLES.api }]);
    expect(performance.now() - started).toBeLessThan(2_500);
    await pool.end();
  });

  it('fails with an error that is retried if all hosts hang', async () => {
    const url = new URL(database.url);
    url.host = await startHangingServer();
    url.searchParams.set('other_hosts', url.host);
    const pool = openPartPool(laneAt(url.href), ROLES.api, 1);
    const error: unknown = await pool.query('SELECT').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message: 'timeout expired' });
    expect(isTransientError(error)).toBe(true);
    await pool.end();
  });

  /** Opens a pool on two hosts: a server, and a host where nothing listens until `promoted.restore` is called. */
  async function openBeforePromotion(formerUrl: string) {
    const { hostname: host, port } = new URL(database.url);
    const promoted = await startTcpProxy({ host, port: Number(port) });
    onTestFinished(promoted.cut);
    await promoted.cut();
    const url = new URL(formerUrl);
    url.searchParams.set('other_hosts', `127.0.0.1:${promoted.port}`);
    return { promoted, pool: openPartPool(laneAt(url.href), ROLES.api, 1) };
  }

  it('is opened to a promoted server while the former primary hangs after the login', async () => {
    const proxy = await startPostgresProxy(database.url, (client, openUpstream) => {
      const upstream = openUpstream();
      upstream.pipe(client);
      // The query for whether the server is writable never arrives.
      client.on('data', (bytes) => !bytes.includes('transaction_read_only') && upstream.write(bytes));
    });
    onTestFinished(() => proxy.close());
    const { promoted, pool } = await openBeforePromotion(proxy.url);
    const failed = pool.query('SELECT').catch((reason: unknown) => reason);
    const error = await Promise.race([failed, delay(20_000, 'no response', { ref: false })]);
    expect(error).not.toBe('no response');
    expect(isTransientError(error)).toBe(true);
    await promoted.restore();
    expect((await pool.query('SELECT current_user AS role')).rows).toEqual([{ role: ROLES.api }]);
    await pool.end();
  });

  it('is opened to another server after the server that was found starts to refuse connections', async () => {
    const { hostname: host, port } = new URL(database.url);
    const first = await startTcpProxy({ host, port: Number(port) });
    onTestFinished(first.cut);
    const url = new URL(database.url);
    url.host = `127.0.0.1:${first.port}`;
    const { promoted: second, pool } = await openBeforePromotion(url.href);
    onTestFinished(async () => await pool.end());
    for (const [former, next] of [
      [first, second],
      [second, first],
    ] as const) {
      (await pool.connect()).release(true);
      await former.cut();
      await next.restore();
      await expect(pool.query('SELECT')).rejects.toThrow('ECONNREFUSED');
      await expect(pool.query('SELECT current_user AS role')).resolves.toMatchObject({ rows: [{ role: ROLES.api }] });
    }
  });

  it.each([
    ['the search among the hosts', 1],
    ['the connection itself', 2],
  ])(
    'fails without ending the process if it is lost while %s asks whether the server accepts writes',
    async (_who, lost) => {
      let questions = 0;
      const proxy = await startPostgresProxy(database.url, (client, openUpstream) => {
        const upstream = openUpstream();
        upstream.pipe(client);
        client.on('data', (bytes) => {
          const isQuestion = bytes.includes('transaction_read_only');
          if (isQuestion) questions += 1;
          if (isQuestion && questions === lost) upstream.destroy();
          else upstream.write(bytes);
        });
      });
      onTestFinished(() => proxy.close());
      const url = new URL(proxy.url);
      url.searchParams.set('target_session_attrs', 'read-write');
      const pool = openPartPool(laneAt(url.href), ROLES.api, 1);
      await expect(pool.query('SELECT')).rejects.toThrow('Connection terminated unexpectedly');
      expect((await pool.query('SELECT current_user AS role')).rows).toEqual([{ role: ROLES.api }]);
      await pool.end();
    },
  );

  it('is not opened to a primary if the URL asks for a standby, and the next connection searches again', async () => {
    const url = new URL(database.url);
    url.searchParams.set('target_session_attrs', 'standby');
    const pool = openPartPool(laneAt(url.href), ROLES.api, 1);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(pool.query('SELECT')).rejects.toThrow('the server is not a standby');
    }
    expect(pool.totalCount).toBe(0);
    await pool.end();
  });

  it('is not opened to a standby, and the error leads to a retry', async () => {
    const url = new URL(database.url);
    url.searchParams.set('target_session_attrs', 'read-write');
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const pool = openPartPool(laneAt(url.href), ROLES.api, 1);
    await expect(pool.query('SELECT')).rejects.toMatchObject({ code: '25006' });
    await pool.end();
  });
});
