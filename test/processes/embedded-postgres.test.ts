import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startEmbeddedPostgres } from '@milepost/embedded-postgres';
import { findEmbeddedPostgres, locateDatabase } from '@milepost/postgres/embedded';
import { Client } from 'pg';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { execute } from '../support/execute.ts';
import { openFolder, perSuite, perTest, untilTestEnds } from '../support/fixtures.ts';
import { start as startProgram } from '../support/milepost.ts';

type Options = Parameters<typeof startEmbeddedPostgres>[0];
type EmbeddedPostgres = Awaited<ReturnType<typeof startEmbeddedPostgres>>;

const SETTINGS = { shared_buffers: '16MB' };

const home = perSuite(openFolder);
/** The directory of a stopped server. Tests copy it, because initdb would take most of their time. */
const made = perSuite(openFolder);
/** A server with default settings, which several tests only read. */
const shared = perSuite(async () => {
  const own = { directory: join(home.path, 'postgres') };
  await (await startEmbeddedPostgres(own)).stop();
  await copy(`${own.directory}/.`, made.path);
  return await startEmbeddedPostgres(own);
});
const folder = perTest(openFolder);
let directory: string;
let data: string;

const copy = async (from: string, to: string) => await execute('cp', ['-a', from, to]);

beforeEach(() => {
  directory = folder.path;
  data = join(directory, 'data');
});

const copyMade = async () => await copy(`${made.path}/.`, directory);

/** Starts the server. Returns the server and the sentences that it logs. */
async function start(options: Partial<Options> = {}): Promise<EmbeddedPostgres & { said: string[] }> {
  const said: string[] = [];
  const log = (line: string) => void said.push(line);
  const server = untilTestEnds(await startEmbeddedPostgres({ directory, settings: SETTINGS, log, ...options }));
  return { ...server, said };
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

async function postmaster(folder = directory): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'data/postmaster.pid'), 'utf8'), 10);
}

describe('the embedded PostgreSQL', () => {
  it('is durable, uses UTF-8, listens on the loopback address, and uses a quarter of up to 32 GiB', async () => {
    const names = ['fsync', 'synchronous_commit', 'server_encoding', 'TimeZone', 'listen_addresses'];
    const columns = names.map((name) => `current_setting('${name}') AS "${name}"`).join(', ');
    const buffers = "pg_size_bytes(current_setting('shared_buffers'))::float8 AS buffers";
    const text = `SELECT datname, datcollate, ${columns}, ${buffers} FROM pg_database WHERE datname = current_database()`;
    const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY, 32 * 2 ** 30);
    expect(await query(shared.url, text)).toEqual([
      {
        ...{ datname: 'milepost', datcollate: 'C', fsync: 'on', synchronous_commit: 'on', server_encoding: 'UTF8' },
        ...{ TimeZone: 'UTC', listen_addresses: '127.0.0.1', buffers: expect.closeTo(memory / 4, -7) },
      },
    ]);
  });

  it('refuses connections without the password, which can be read only by its owner', async () => {
    const wrong = new URL(shared.url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect((await stat(join(home.path, 'postgres/password'))).mode & 0o777).toBe(0o600);
  });

  it("gives each login its own URL, and the superuser's URL only to the owner", async () => {
    const located = { databaseUrl: undefined, home: home.path };
    expect(await locateDatabase(located, 'owner')).toBe(shared.url);
    const [ops, api] = [new URL(await locateDatabase(located)), new URL(await locateDatabase(located, 'api'))];
    expect([ops.username, api.username]).toEqual(['milepost_ops_login', 'milepost_api_login']);
    expect([ops.host, api.host]).toEqual([new URL(shared.url).host, new URL(shared.url).host]);
    expect(await locateDatabase({ ...located, databaseUrl: 'postgres://db/other' }, 'api')).toBe('postgres://db/other');
  });

  it('keeps its data, port and password after a stop, unless another program uses the port', async () => {
    await copyMade();
    const first = await start();
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    expect(await findEmbeddedPostgres(directory)).toBeNull();
    const second = await start();
    await first.stop();
    expect(second.url).toBe(first.url);
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    await second.stop();
    const intruder = createServer().listen(first.port, '127.0.0.1');
    onTestFinished(() => void intruder.close());
    await once(intruder, 'listening');
    const third = await start();
    expect(third.port).not.toBe(first.port);
    expect(await query(third.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('can be found while it is running and has written its port', async () => {
    await copyMade();
    const { url } = await start();
    expect(await findEmbeddedPostgres(directory)).toBe(url);
    const lock = join(data, 'postmaster.pid');
    const content = await readFile(lock, 'utf8');
    await truncate(lock, content.split('\n').slice(0, 3).join('\n').length + 1);
    expect(await findEmbeddedPostgres(directory)).toBeNull();
    await writeFile(lock, content);
  });

  it('is not found if the folder is a file, and an unreadable lock file is reported', async () => {
    await writeFile(data, '');
    expect(await findEmbeddedPostgres(directory)).toBeNull();
    await rm(data);
    await mkdir(join(data, 'postmaster.pid'), { recursive: true });
    await expect(findEmbeddedPostgres(directory)).rejects.toThrow('EISDIR');
  });

  it.runIf(process.getuid?.() === 0)(
    'runs for root in a directory that no other user can enter, such as a home directory',
    async () => {
      const closed = join(directory, 'closed');
      await mkdir(closed);
      await chmod(closed, 0o700);
      const { url } = await start({ directory: join(closed, 'postgres') });
      expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      expect((await stat(closed)).mode & 0o777).toBe(0o700);
    },
  );
});

describe('the restarted embedded PostgreSQL', () => {
  beforeEach(copyMade);

  const kill = async () => process.kill(await postmaster(), 'SIGKILL');

  it('reports the end of its server once restarts have failed for the maximum time', async () => {
    const ended: Error[] = [];
    const { said, stop } = await start({ patienceMilliseconds: 1_000, onEnd: (error) => void ended.push(error) });
    const version = join(data, 'PG_VERSION');
    await rename(version, `${version}.away`);
    await kill();
    await expect.poll(() => ended).toHaveLength(1);
    // The server has not written a line, so the message comes from the program that starts the server.
    expect(ended[0]?.message).toMatch(
      /^The embedded PostgreSQL stopped unexpectedly\. PostgreSQL could not start \(its files are under .*\): pg_ctl: .*data" is not a database cluster directory$/,
    );
    expect(said).toEqual(['PostgreSQL stopped unexpectedly: restarting.']);
    await stop();
    await rename(`${version}.away`, version);
    expect(await findEmbeddedPostgres(directory)).toBeNull();
  });

  it('is not restarted while it recovers after its processes were killed', async () => {
    const { said, url } = await start({ onEnd: () => {} });
    const pid = await postmaster();
    // The server is checked once per second, and each recovery takes less time.
    for (const end = performance.now() + 3_000; performance.now() < end; ) {
      const client = new Client({ connectionString: url });
      client.on('error', () => {});
      const killed = client.connect().then(() => process.kill(Number(Reflect.get(client, 'processID')), 'SIGKILL'));
      await killed.catch(() => {});
      await client.end().catch(() => {});
    }
    await expect.poll(() => query(url, 'SELECT 1 AS one').catch(() => [])).toEqual([{ one: 1 }]);
    expect([await postmaster(), said]).toEqual([pid, []]);
  });

  it('is restarted on its port after failed attempts', async () => {
    const ended: Error[] = [];
    const { said, url } = await start({ onEnd: (error) => void ended.push(error) });
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const control = join(data, 'global', 'pg_control');
    await rename(control, `${control}.away`);
    await kill();
    const log = async () => await readFile(join(directory, 'postgres.log'), 'utf8');
    await expect.poll(async () => (await log()).match(/FATAL|PANIC|could not find/g)?.length ?? 0).toBeGreaterThan(1);
    await rename(`${control}.away`, control);
    await expect.poll(() => said).toContain('PostgreSQL is running again.');
    expect(await query(url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect(ended).toEqual([]);
  });

  it('is stopped for good if the stop begins during a restart', async () => {
    const restarting = Promise.withResolvers<void>();
    const log = (line: string) => {
      if (line.includes('restarting')) restarting.resolve();
    };
    const server = await start({ log, onEnd: restarting.reject });
    const begin = (await readFile(join(directory, 'postgres.log'))).length;
    await kill();
    await restarting.promise;
    await server.stop();
    expect(await findEmbeddedPostgres(directory)).toBeNull();
    const said = async () => (await readFile(join(directory, 'postgres.log'))).subarray(begin).toString();
    // The restart has begun, so the stop first waits for it and then stops the server. PostgreSQL removes its lock file
    // before it writes its last line.
    await expect.poll(said).toMatch(/starting PostgreSQL.*database system is shut down\n$/s);
  });

  it('can be stopped without an error if its server has already ended', async () => {
    const { said, stop } = await start();
    await kill();
    await expect.poll(async () => await findEmbeddedPostgres(directory)).toBeNull();
    await stop();
    expect(said).toEqual([]);
  });
});

describe('a start of the embedded PostgreSQL', () => {
  /** Opens a session and suspends its process, which then handles no signal except SIGKILL. */
  async function haltSession(url: string): Promise<void> {
    const client = new Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    process.kill(rows[0]?.pid ?? 0, 'SIGSTOP');
  }

  // A killed process leaves its server behind.
  it.each<[string, (url: string) => Promise<unknown>]>([
    ['runs', async () => {}],
    [
      'hangs in its shutdown',
      async (url) => {
        await haltSession(url);
        process.kill(await postmaster(), 'SIGINT');
        await expect(async () => await query(url, 'SELECT 1')).rejects.toThrow('shutting down');
      },
    ],
    ['is suspended', async () => process.kill(await postmaster(), 'SIGSTOP')],
  ])("replaces an earlier process's server that %s, and keeps its data and port", async (_state, disturb) => {
    await copyMade();
    const { url } = await startEmbeddedPostgres({ directory, settings: SETTINGS });
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await disturb(url);
    const left = await postmaster();
    const server = await start({ patienceMilliseconds: 1_000, settings: { ...SETTINGS, work_mem: '7MB' } });
    expect(server.said[0]).toContain('that an earlier process left running');
    expect(await postmaster()).not.toBe(left);
    expect(server.url).toBe(url);
    expect(await query(url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect(await query(url, 'SHOW work_mem')).toEqual([{ work_mem: '7MB' }]);
  });

  it("stops an earlier process's server if it is aborted", async () => {
    await copyMade();
    await startEmbeddedPostgres({ directory, settings: SETTINGS });
    await expect(start({ signal: AbortSignal.abort(new Error('Ctrl-C.')) })).rejects.toThrow('Ctrl-C.');
    expect(await findEmbeddedPostgres(directory)).toBeNull();
  });

  /** Returns the id of a process that runs as the server's user, because PostgreSQL ignores other users' processes. */
  async function startOther(program: string, words: string[]): Promise<string> {
    const { uid, gid } = await stat(data);
    const child = spawn(program, words, { uid, gid, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = await once(createInterface(child.stdout), 'line');
    return line;
  }

  it.runIf(process.platform === 'linux').each<[string, () => Promise<string>]>([
    ['another program', async () => await startOther('sh', ['-c', 'echo $$; exec sleep 600'])],
    ['the server of another folder', async () => String(await postmaster(join(home.path, 'postgres')))],
    [
      // The first process in a container might not reap orphaned children.
      'a zombie',
      async () => {
        const program = join(data, 'postgres');
        await symlink('/bin/sleep', program);
        // A shell waits for its children, so the child must not end before `sleep` has replaced the shell.
        const line = await startOther('sh', ['-c', `'${program}' 1 & echo $!; exec sleep 600`]);
        const status = async () => await readFile(`/proc/${line}/stat`, 'utf8');
        await expect.poll(status).toMatch(/^\d+ \(postgres\) Z/);
        await rm(program);
        return line;
      },
    ],
  ])("succeeds if a crashed server's process id now belongs to %s", async (_owner, pidOf) => {
    await copyMade();
    const server = await start();
    const lock = join(data, 'postmaster.pid');
    const content = await readFile(lock, 'utf8');
    await server.stop();
    await writeFile(lock, content.replace(/^\d+/, await pidOf()));
    expect(await findEmbeddedPostgres(directory)).toBeNull();
    expect(await query((await start()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await query(shared.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('succeeds after an initialization was killed, and removes the incomplete files', async () => {
    const script = `await (await import('@milepost/embedded-postgres')).startEmbeddedPostgres({ directory: '${directory}' })`;
    const child = startProgram([process.execPath, '--input-type=module', '--eval', script], {});
    // The process is killed when initdb has begun to write, but the cluster is not yet complete.
    const begun = async () => (await readdir(directory)).some((name) => name.startsWith('data.new-'));
    await expect.poll(begun, { interval: 5 }).toBe(true);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    expect(await readdir(directory)).not.toContain('data');
    expect(await query((await start()).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect((await readdir(directory)).sort()).toEqual(['data', 'password', 'postgres.log']);
  });

  it('says why it cannot create a cluster, and leaves no draft', async () => {
    await writeFile(join(directory, 'password'), '');
    await mkdir(`${data}.new-1`);
    await expect(start()).rejects.toThrow(
      /^PostgreSQL could not make a cluster \(its files are under .*\): initdb: error: password file .* is empty$/,
    );
    expect(await readdir(directory)).toEqual(['password']);
  });

  it('keeps a folder with other files where its data should be, and leaves no draft', async () => {
    await mkdir(data);
    await writeFile(join(data, 'letter'), 'kept');
    await expect(start()).rejects.toThrow('not empty');
    expect(await readFile(join(data, 'letter'), 'utf8')).toBe('kept');
    expect((await readdir(directory)).sort()).toEqual(['data', 'password']);
  });

  it("reports the server's error if the server does not start", async () => {
    await copyMade();
    await expect(start({ settings: { shared_buffers: 'much' } })).rejects.toThrow(
      /^PostgreSQL could not start \(its files are under .*\): .*postgresql\.conf.* contains errors$/,
    );
  });

  it('names the directory that it cannot use', async () => {
    await writeFile(join(directory, 'file'), '');
    const below = join(directory, 'file', 'below');
    await expect(start({ directory: below })).rejects.toThrow(`cannot keep its files under ${below}: ENOTDIR`);
  });
});
