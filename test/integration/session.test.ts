import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { isTransientError, laneAt, ROLES } from '@milepost/postgres';
import { expect, it, onTestFinished } from 'vitest';
import { type Attempts, connectFirst } from '../../apps/cli/database.ts';
import { createTestDatabase } from '../support/database.ts';
import { startForwardingPostgres } from '../support/faults/postgres-proxy.ts';
import { perSuite, untilTestEnds } from '../support/fixtures.ts';
import { listenLocally } from '../support/listen.ts';
import { openPartPool } from '../support/pipeline.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { freePorts } from '../support/services/free-port.ts';
import { startProxyTo } from '../support/tcp-proxy.ts';
import { administer } from '../support/template.ts';

const STARTUP_PARAMETERS = /(options|statement_timeout|search_path|role|idle_in_transaction_session_timeout)\0/;

describeWithPostgres('a connection', () => {
  const database = perSuite(createTestDatabase);
  const openApiPool = (url: string, connections = 1) =>
    untilTestEnds(openPartPool(laneAt(url), ROLES.api, connections));

  /** Starts a proxy that forwards the server's bytes, and the client's bytes as `forward` decides. */
  const startProxy = async (forward: Parameters<typeof startForwardingPostgres>[1]) =>
    untilTestEnds(await startForwardingPostgres(database.url, forward));
  /** Starts a proxy in front of a server that a test cannot stop. */
  const startServerProxy = async () => untilTestEnds(await startProxyTo(database.url));

  /** Returns a database's URL, by default the test's, with other parameters. */
  function urlWith(parameters: Record<string, string>, base = database.url): URL {
    const url = new URL(base);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url;
  }

  it('sends no startup parameters that a pooler refuses, and has its settings before its first use', async () => {
    let startup = '';
    const proxy = await startProxy((bytes, upstream) => {
      startup ||= bytes.toString('latin1');
      upstream.write(bytes);
    });
    await administer(database.url, [
      `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET extra_float_digits = 0`,
    ]);
    const { rows } = await openApiPool(proxy.url).query(
      `SELECT current_setting('extra_float_digits') AS digits, current_user AS role, current_setting('search_path') AS path, current_setting('statement_timeout') AS timeout,
         current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('timezone') AS zone`,
    );
    expect(rows).toEqual([
      { digits: '1', role: ROLES.api, path: 'milepost', timeout: '1min', idle: '1min', zone: 'UTC' },
    ]);
    expect(startup).toContain('application_name\0milepost-test');
    expect(startup).not.toMatch(STARTUP_PARAMETERS);
  });

  it('fails in time if the server hangs after the login', async () => {
    // The message with the settings never arrives.
    const proxy = await startProxy((bytes, upstream) => !bytes.includes('SET ') && upstream.write(bytes));
    const pool = openApiPool(proxy.url);
    const started = performance.now();
    await expect(pool.query('SELECT')).rejects.toThrow('timeout exceeded when trying to connect');
    expect(performance.now() - started).toBeLessThan(6_000);
  });

  /** Listens on a local port but never responds. Returns the `host:port`. */
  async function startHangingServer(): Promise<string> {
    const sockets = new Set<Socket>();
    const hanging = createServer((socket) => void sockets.add(socket));
    const port = await listenLocally(hanging);
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      hanging.close();
    });
    return `127.0.0.1:${port}`;
  }

  it('goes to the host that accepts writes, while others hang or refuse connections', async () => {
    const [closed = 0] = await freePorts(1);
    const url = urlWith({ other_hosts: `127.0.0.1:${closed},${new URL(database.url).host}` });
    url.host = await startHangingServer();
    const pool = openApiPool(url.href, 2);
    const started = performance.now();
    expect((await pool.query('SELECT current_user AS role')).rows).toEqual([{ role: ROLES.api }]);
    expect(performance.now() - started).toBeLessThan(2_500);
  });

  it('fails with an error that is retried if all hosts hang', async () => {
    const hanging = await startHangingServer();
    const url = urlWith({ other_hosts: hanging });
    url.host = hanging;
    const error: unknown = await openApiPool(url.href)
      .query('SELECT')
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message: 'timeout expired' });
    expect(isTransientError(error)).toBe(true);
  });

  /** Opens a pool on two hosts: a server, and a host where nothing listens until `promoted.restore` is called. */
  async function openBeforePromotion(formerUrl: string) {
    const promoted = await startServerProxy();
    await promoted.cut();
    const url = urlWith({ other_hosts: `127.0.0.1:${promoted.port}` }, formerUrl);
    return { promoted, pool: openApiPool(url.href) };
  }

  it('is opened to a promoted server while the former primary hangs after the login', async () => {
    // The query that asks whether the server is writable never arrives.
    const proxy = await startProxy(
      (bytes, upstream) => !bytes.includes('transaction_read_only') && upstream.write(bytes),
    );
    const { promoted, pool } = await openBeforePromotion(proxy.url);
    const failed = pool.query('SELECT').catch((reason: unknown) => reason);
    const error = await Promise.race([failed, delay(20_000, 'no response', { ref: false })]);
    expect(error).not.toBe('no response');
    expect(isTransientError(error)).toBe(true);
    await promoted.restore();
    expect((await pool.query('SELECT current_user AS role')).rows).toEqual([{ role: ROLES.api }]);
  });

  it('is opened to another server after the server that was found starts to refuse connections', async () => {
    const first = await startServerProxy();
    const { promoted: second, pool } = await openBeforePromotion(first.url);
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
      const proxy = await startProxy((bytes, upstream) => {
        const isQuestion = bytes.includes('transaction_read_only');
        if (isQuestion) questions += 1;
        if (isQuestion && questions === lost) upstream.destroy();
        else upstream.write(bytes);
      });
      const pool = openApiPool(urlWith({ target_session_attrs: 'read-write' }, proxy.url).href);
      await expect(pool.query('SELECT')).rejects.toThrow('Connection terminated unexpectedly');
      expect((await pool.query('SELECT current_user AS role')).rows).toEqual([{ role: ROLES.api }]);
    },
  );

  it('is not opened to a primary if the URL asks for a standby, and the next connection searches again', async () => {
    const pool = openApiPool(urlWith({ target_session_attrs: 'standby' }).href);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(pool.query('SELECT')).rejects.toThrow('the server is not a standby');
    }
    expect(pool.totalCount).toBe(0);
  });

  it('is not opened to a standby, and the error leads to a retry', async () => {
    const options = '-c default_transaction_read_only=on';
    const url = urlWith({ target_session_attrs: 'read-write', options });
    await expect(openApiPool(url.href).query('SELECT')).rejects.toMatchObject({ code: '25006' });
  });
});

/** Makes a single attempt. Records the names of the errors that a real caller examines before it tries again. */
function attemptsWith(seen: string[]): Attempts {
  return async (work) =>
    await work().catch((error: unknown) => {
      seen.push(error instanceof Error ? error.name : String(error));
      throw error;
    });
}

it('the first connection to an address without a server fails with an error that is not retried', async () => {
  const seen: string[] = [];
  const connecting = connectFirst('postgres://owner:top-secret@127.0.0.1:1/none', attemptsWith(seen));
  await expect(connecting).rejects.toThrow(/^The database none at 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED.*\.$/);
  expect(seen).toEqual(['DatabaseError']);
});

it('the first connection to a server that is still starting fails with an error that may be retried', async () => {
  const server = createServer((socket) => socket.destroy());
  const port = await listenLocally(server);
  onTestFinished(() => void server.close());
  const seen: string[] = [];
  const connecting = connectFirst(`postgres://owner@127.0.0.1:${port}/none`, attemptsWith(seen));
  await expect(connecting).rejects.toThrow(`The database none at 127.0.0.1:${port} cannot be used: `);
  expect(seen).toHaveLength(1);
  expect(seen).not.toContain('DatabaseError');
});
