import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findEmbeddedPostgres, startEmbeddedPostgres } from '@milepost/embedded-postgres';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { copy, createCluster, kill, removeCluster, startElsewhere } from '../support/embedded-postgres/clusters.ts';
import { temporaryDirectory } from '../support/services/directory.ts';

type EmbeddedPostgres = Awaited<ReturnType<typeof startEmbeddedPostgres>>;

const SETTINGS = { shared_buffers: '16MB' };

/** The directory of a cluster that is created once. */
let made: string;
let directory: string;
let children: ChildProcess[];
let servers: EmbeddedPostgres[];

beforeAll(async () => {
  made = await createCluster(SETTINGS);
});

afterAll(async () => await removeCluster(made));

beforeEach(async () => {
  directory = await temporaryDirectory('embedded');
  children = [];
  servers = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(servers.map((server) => server.stop()));
  await removeCluster(directory);
});

const copyMade = async () => await copy(`${made}/.`, directory);

async function start(settings: Record<string, string> = SETTINGS): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ directory, settings });
  servers.push(server);
  return server;
}

/** Starts the server in a separate process, which is ended with the test. */
function startOther(): ReturnType<typeof startElsewhere> {
  const other = startElsewhere(directory);
  children.push(other.child);
  return other;
}

/**
 * Starts and stops a server. Returns a function that leaves the server's lock file behind as a crash would, but with
 * another process id.
 */
async function prepareCrash(): Promise<(pid: string) => Promise<void>> {
  await copyMade();
  const server = await start();
  const lock = join(directory, 'data', 'postmaster.pid');
  const content = await readFile(lock, 'utf8');
  await server.stop();
  return async (pid) => await writeFile(lock, content.replace(/^\d+/, pid));
}

/**
 * Returns the process id of a zombie with the name `postgres`. It stays a zombie because its parent does not wait for
 * children. It belongs to the server's user, because PostgreSQL ignores other users' processes.
 */
async function makeZombie(): Promise<string> {
  const { uid, gid } = await stat(join(directory, 'data'));
  const program = join(directory, 'data', 'postgres');
  await symlink('/bin/sleep', program);
  // A shell waits for its children, so the child must not end until `sleep` has replaced the shell.
  const script = `'${program}' 1 & echo $!; exec sleep 600`;
  const parent = spawn('sh', ['-c', script], { uid, gid, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(parent);
  const [line] = await once(createInterface(parent.stdout), 'line');
  const status = async () => await readFile(`/proc/${line}/stat`, 'utf8');
  await expect.poll(status, { timeout: 30_000, interval: 5 }).toMatch(/^\d+ \(postgres\) Z/);
  await rm(program);
  return String(line);
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

describe('the embedded PostgreSQL', () => {
  it('starts in an empty directory as a durable UTF-8 server of version 18 on the loopback address', async () => {
    const server = await start();
    expect(server.adopted).toBe(false);
    const names = ['fsync', 'synchronous_commit', 'server_encoding', 'TimeZone', 'listen_addresses', 'shared_buffers'];
    const columns = names.map((name) => `current_setting('${name}') AS "${name}"`).join(', ');
    expect(
      await query(
        server.url,
        `SELECT current_database() AS database, datcollate AS collate, ${columns}
      FROM pg_database WHERE datname = current_database()`,
      ),
    ).toEqual([
      {
        database: 'milepost',
        collate: 'C',
        fsync: 'on',
        synchronous_commit: 'on',
        server_encoding: 'UTF8',
        TimeZone: 'UTC',
        listen_addresses: '127.0.0.1',
        shared_buffers: '16MB',
      },
    ]);
  });

  it('gives shared_buffers a quarter of the memory, and counts at most 32 GiB of memory', async () => {
    await copyMade();
    const { url } = await start({});
    const [row] = await query(url, "SELECT pg_size_bytes(current_setting('shared_buffers'))::float8 AS bytes");
    const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY, 32 * 2 ** 30);
    expect(Number(row?.['bytes']) / memory).toBeCloseTo(0.25, 3);
  });

  it('refuses connections without the password, which only its owner can read', async () => {
    await copyMade();
    const { url } = await start();
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect((await stat(join(directory, 'password'))).mode & 0o777).toBe(0o600);
  });

  it('keeps data, port and password after a stop, and is found only while it runs', async () => {
    await copyMade();
    const first = await start();
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    expect(await findEmbeddedPostgres(directory)).toEqual({ url: first.url });
    await first.stop();
    await first.stop();
    expect(await findEmbeddedPostgres(directory)).toBeNull();

    const second = await start();
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('is stopped for good when the stop begins during a restart', async () => {
    await copyMade();
    const restarting = Promise.withResolvers<void>();
    const log = (line: string) => {
      if (line.includes('restarting')) restarting.resolve();
    };
    const server = await startEmbeddedPostgres({ directory, settings: SETTINGS, log, onEnd: restarting.reject });
    servers.push(server);
    const [pid] = (await readFile(join(directory, 'data', 'postmaster.pid'), 'utf8')).split('\n');
    const begin = (await readFile(join(directory, 'postgres.log'))).length;
    process.kill(Number(pid), 'SIGKILL');
    await restarting.promise;
    await server.stop();
    expect(await findEmbeddedPostgres(directory)).toBeNull();
    const said = async () => (await readFile(join(directory, 'postgres.log'))).subarray(begin).toString();
    // The restart had begun, so the stop first waits for it and then stops the server. PostgreSQL removes its lock file
    // before it writes its last line.
    await expect.poll(said).toMatch(/starting PostgreSQL.*database system is shut down\n$/s);
  });

  it('uses another port when its last one is in use', async () => {
    await copyMade();
    const first = await start();
    await first.stop();
    const intruder = createServer().listen(first.port, '127.0.0.1');
    await once(intruder, 'listening');
    try {
      const second = await start();
      expect(second.port).not.toBe(first.port);
      expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    } finally {
      intruder.close();
    }
  });

  it('adopts the server of a killed owner, but not the server of a running one', async () => {
    await copyMade();
    const { child, lines } = startOther();
    await lines.next();
    const { value: url } = await lines.next();
    await expect(start()).rejects.toThrow(`is in use by process ${child.pid}`);
    await kill(child);

    const server = await start();
    expect(server).toMatchObject({ adopted: true, url });
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.stop();
    expect(await findEmbeddedPostgres(directory)).toBeNull();
  });

  it('starts after a killed initialization and removes the incomplete files', async () => {
    const { child, lines } = startOther();
    await lines.next();
    // The kill comes when initdb has begun to write but the cluster is not complete yet.
    const begun = async () => (await readdir(directory)).some((name) => name.startsWith('data.new-'));
    await expect.poll(begun, { interval: 5 }).toBe(true);
    await kill(child);
    expect(await readdir(directory)).not.toContain('data');

    const server = await start();
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect((await readdir(directory)).sort()).toEqual(['data', 'password', 'postgres.log', 'server.json']);
  });

  describe('that hangs', () => {
    beforeEach(copyMade);

    /** Leaves a server behind whose owner was killed. Returns its address and the process id of a suspended session. */
    async function leftWithHaltedSession(): Promise<{ url: string; session: number }> {
      const { child, lines } = startOther();
      await lines.next();
      const { value: url } = await lines.next();
      await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
      await kill(child);
      return { url, session: await haltSession(url) };
    }

    /** Opens a session and suspends its process, which from then on handles no signal except SIGKILL. */
    async function haltSession(url: string): Promise<number> {
      const client = new Client({ connectionString: url });
      client.on('error', () => {});
      await client.connect();
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const pid = rows[0]?.pid ?? 0;
      process.kill(pid, 'SIGSTOP');
      return pid;
    }

    async function postmaster(): Promise<number> {
      return Number.parseInt(await readFile(join(directory, 'data', 'postmaster.pid'), 'utf8'), 10);
    }

    async function startImpatiently(): Promise<EmbeddedPostgres> {
      // If the start waited for ever, this would end it with an error before the test's time limit.
      const signal = AbortSignal.timeout(120_000);
      const options = { directory, settings: SETTINGS, patienceMilliseconds: 1_000, signal };
      const server = await startEmbeddedPostgres(options);
      servers.push(server);
      return server;
    }

    it('during its shutdown is killed by the next start, which recovers its data', async () => {
      const { url } = await leftWithHaltedSession();
      process.kill(await postmaster(), 'SIGINT');
      await expect(async () => await query(url, 'SELECT 1')).rejects.toThrow('shutting down');
      const server = await startImpatiently();
      expect(server).toMatchObject({ adopted: false, url });
      expect(await query(url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    });

    it('as a whole is killed at the next start, which recovers its data', async () => {
      const { url, session } = await leftWithHaltedSession();
      process.kill(session, 'SIGCONT');
      process.kill(await postmaster(), 'SIGSTOP');
      const server = await startImpatiently();
      expect(server).toMatchObject({ adopted: false, url });
      expect(await query(url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    });

    it('can still be stopped, and loses no data', async () => {
      const server = await startImpatiently();
      await query(server.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
      await haltSession(server.url);
      await server.stop();
      expect(await findEmbeddedPostgres(directory)).toBeNull();
      const { url } = await start();
      expect(await query(url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    });

    it('is distinguished from a server that needs time to recover', async () => {
      const first = await startOther();
      await first.lines.next();
      const { value: url } = await first.lines.next();
      await query(url, 'CREATE TABLE kept AS SELECT n FROM generate_series(1, 2000000) AS n');
      await kill(first.child);
      process.kill(await postmaster(), 'SIGQUIT');
      await expect.poll(() => findEmbeddedPostgres(directory)).toBeNull();
      const second = startOther();
      await second.lines.next();
      await expect.poll(() => findEmbeddedPostgres(directory), { interval: 5 }).not.toBeNull();
      await kill(second.child);
      const recovering = await postmaster();
      const server = await startEmbeddedPostgres({ directory, settings: SETTINGS, patienceMilliseconds: 100 });
      servers.push(server);
      expect(server).toMatchObject({ adopted: true, url });
      expect(await postmaster()).toBe(recovering);
      expect(await query(url, 'SELECT count(*)::int FROM kept')).toEqual([{ count: 2_000_000 }]);
    });
  });

  it('starts when the process id of a crashed server now belongs to another program', async () => {
    const crashAs = await prepareCrash();
    // The other program runs as the same user, because PostgreSQL ignores other users' processes.
    const { uid, gid } = await stat(join(directory, 'data'));
    const other = spawn('sleep', ['600'], { uid, gid });
    children.push(other);
    await once(other, 'spawn');
    await crashAs(String(other.pid));
    expect(await findEmbeddedPostgres(directory)).toBeNull();
    const second = await start();
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it.runIf(process.platform === 'linux')(
    'starts when the process id of a crashed server now belongs to the server of another folder',
    async () => {
      const crashAs = await prepareCrash();
      const other = await startEmbeddedPostgres({ directory: made, settings: SETTINGS });
      servers.push(other);
      const [pid = ''] = (await readFile(join(made, 'data', 'postmaster.pid'), 'utf8')).split('\n');
      await crashAs(pid);
      expect(await findEmbeddedPostgres(directory)).toBeNull();
      const second = await start();
      expect(second.adopted).toBe(false);
      expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      expect(await query(other.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    },
  );

  it.runIf(process.platform === 'linux')(
    'starts when its crashed server is a zombie, because the first process of a container may reap no children',
    async () => {
      const crashAs = await prepareCrash();
      await crashAs(await makeZombie());
      expect(await findEmbeddedPostgres(directory)).toBeNull();
      const second = await start();
      expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    },
  );

  it('reports the error of the server when the server does not start', async () => {
    await copyMade();
    await expect(start({ shared_buffers: 'much' })).rejects.toThrow(
      /^PostgreSQL could not start \(its files are under .*\): .*postgresql\.conf.* contains errors$/,
    );
  });

  it.runIf(process.platform === 'linux')(
    'reports an error for a directory that no file system can create',
    async () => {
      await expect(startEmbeddedPostgres({ directory: '/proc/milepost/postgres' })).rejects.toThrow('/proc/milepost');
    },
  );

  it('names the directory that it cannot use', async () => {
    await writeFile(join(directory, 'file'), '');
    await expect(startEmbeddedPostgres({ directory: join(directory, 'file', 'below') })).rejects.toThrow(
      'a part of the path is a file, not a folder',
    );
  });

  it.runIf(process.getuid?.() === 0)(
    'runs for root in a directory that is closed to all other users, such as a home directory',
    async () => {
      const closed = join(directory, 'closed');
      await mkdir(closed);
      await chmod(closed, 0o700);
      const server = await startEmbeddedPostgres({ directory: join(closed, 'postgres'), settings: SETTINGS });
      servers.push(server);
      expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      expect((await stat(closed)).mode & 0o777).toBe(0o700);
    },
  );
});
