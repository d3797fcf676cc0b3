import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findEmbeddedPostgres, startEmbeddedPostgres } from '@milepost/embedded-postgres';
import { locateDatabase } from '@milepost/embedded-postgres/locate';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { copy, createCluster, kill, removeCluster, startElsewhere } from '../support/embedded-postgres/clusters.ts';
import { temporaryDirectory } from '../support/services/directory.ts';

type Options = Parameters<typeof startEmbeddedPostgres>[0];
type EmbeddedPostgres = Awaited<ReturnType<typeof startEmbeddedPostgres>>;

const SETTINGS = { shared_buffers: '16MB', fsync: 'off' };
const WAIT = { timeout: 30_000, interval: 20 };

/** The directory of a cluster that is created once. */
let made: string;
let directory: string;
let data: string;
let servers: EmbeddedPostgres[];

beforeAll(async () => {
  made = await createCluster(SETTINGS);
});
afterAll(async () => await removeCluster(made));

beforeEach(async () => {
  directory = await temporaryDirectory('embedded');
  data = join(directory, 'data');
  servers = [];
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await removeCluster(directory);
});

const copyMade = async () => await copy(`${made}/.`, directory);

/** Starts the server. Returns the server and the sentences that it logs. */
async function start(options: Partial<Options> = {}): Promise<EmbeddedPostgres & { said: string[] }> {
  const said: string[] = [];
  const log = (line: string) => void said.push(line);
  const server = await startEmbeddedPostgres({ directory, settings: SETTINGS, log, ...options });
  servers.push(server);
  return { ...server, said };
}

/** Starts the server in a separate process, which is ended with the test. */
function startOther(): ReturnType<typeof startElsewhere> {
  const other = startElsewhere(directory);
  onTestFinished(() => void other.child.kill('SIGKILL'));
  return other;
}

/** Leaves a server behind whose owner was killed. Returns its URL. */
async function leaveServer(): Promise<string> {
  const { child, lines } = startOther();
  await lines.next();
  const { value: url } = await lines.next();
  await kill(child);
  return url;
}

async function killServer(): Promise<void> {
  process.kill(Number.parseInt(await readFile(join(data, 'postmaster.pid'), 'utf8'), 10), 'SIGKILL');
}

async function systemIdentifier(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      'SELECT system_identifier::text AS id FROM pg_control_system()',
    );
    return rows[0]?.id ?? '';
  } finally {
    await client.end();
  }
}

describe('the embedded PostgreSQL that is restarted', () => {
  beforeEach(copyMade);

  it('reports the end of its server once its restarts have failed for as long as they may', async () => {
    const ended: Error[] = [];
    const { said, stop } = await start({ patienceMilliseconds: 1_000, onEnd: (error) => void ended.push(error) });
    const version = join(data, 'PG_VERSION');
    await rename(version, `${version}.away`);
    await killServer();
    await expect.poll(() => ended, WAIT).toHaveLength(1);
    // The server has not written a line, so the message comes from the program that starts it.
    expect(ended[0]?.message).toMatch(
      /^The embedded PostgreSQL ended unexpectedly\. PostgreSQL could not start \(its files are under .*\): pg_ctl: .*data" is not a database cluster directory$/,
    );
    expect(said.filter((line) => line.startsWith('PostgreSQL'))).toEqual([
      'PostgreSQL ended unexpectedly: restarting.',
    ]);
    await stop();
    await rename(`${version}.away`, version);
    expect(await findEmbeddedPostgres(directory)).toBeNull();
  });

  it('is started again on its port after restarts that have failed', async () => {
    const ended: Error[] = [];
    const { said, url } = await start({ onEnd: (error) => void ended.push(error) });
    const id = await systemIdentifier(url);
    const control = join(data, 'global', 'pg_control');
    await rename(control, `${control}.away`);
    await killServer();
    const log = async () => await readFile(join(directory, 'postgres.log'), 'utf8');
    await expect
      .poll(async () => (await log()).match(/FATAL|PANIC|could not find/g)?.length ?? 0, WAIT)
      .toBeGreaterThan(1);
    await rename(`${control}.away`, control);
    await expect.poll(() => said, WAIT).toContain('PostgreSQL runs again.');
    expect(await systemIdentifier(url)).toBe(id);
    expect(ended).toEqual([]);
  });

  it('is stopped without a complaint when its server has ended already', async () => {
    const { said, stop } = await start();
    await killServer();
    await expect.poll(async () => await findEmbeddedPostgres(directory), WAIT).toBeNull();
    await stop();
    expect(said).toEqual([]);
  });
});

describe('a start of the embedded PostgreSQL', () => {
  it('that is aborted stops the server that it would adopt', async () => {
    await copyMade();
    await leaveServer();
    const signal = AbortSignal.abort(new Error('Ctrl-C.'));
    await expect(startEmbeddedPostgres({ directory, settings: SETTINGS, signal })).rejects.toThrow('Ctrl-C.');
    expect(await findEmbeddedPostgres(directory)).toBeNull();
  });

  it('waits for a server that has not yet written its port', async () => {
    await copyMade();
    const url = await leaveServer();
    const lock = join(data, 'postmaster.pid');
    const content = await readFile(lock, 'utf8');
    await truncate(lock, content.split('\n').slice(0, 3).join('\n').length + 1);
    expect(await findEmbeddedPostgres(directory)).toBeNull();
    const log = (line: string) => {
      if (line.startsWith('Waiting for the PostgreSQL server')) void writeFile(lock, content);
    };
    expect(await start({ log })).toMatchObject({ adopted: true, url });
  });

  it('that cannot make a cluster says why, and removes only the drafts of processes that have ended', async () => {
    await writeFile(join(directory, 'password'), '');
    const other = spawn('sleep', ['600'], { stdio: 'ignore' });
    onTestFinished(() => void other.kill('SIGKILL'));
    for (const name of ['', '0', '-1', 'x', String(other.pid)]) await mkdir(`${data}.new-${name}`);
    await expect(startEmbeddedPostgres({ directory, settings: SETTINGS })).rejects.toThrow(
      /^PostgreSQL could not make a cluster \(its files are under .*\): initdb: error: password file .* is empty$/,
    );
    expect((await readdir(directory)).sort()).toEqual([`data.new-${other.pid}`, 'password']);
  });

  it('keeps a folder with other files where its data belongs, and leaves no draft', async () => {
    await mkdir(data);
    await writeFile(join(data, 'letter'), 'kept');
    await expect(startEmbeddedPostgres({ directory, settings: SETTINGS })).rejects.toThrow('not empty');
    expect(await readFile(join(data, 'letter'), 'utf8')).toBe('kept');
    expect((await readdir(directory)).sort()).toEqual(['data', 'password']);
  });

  it('uses the cluster that another process has completed in the meantime, and leaves no draft', async () => {
    await copy(join(made, 'password'), join(directory, 'password'));
    await copy(join(made, 'data'), join(directory, 'other'));
    const { child, lines } = startOther();
    const begun = async () => (await readdir(directory)).some((name) => name.startsWith('data.new-'));
    await expect.poll(begun, { ...WAIT, interval: 5 }).toBe(true);
    await rename(join(directory, 'other'), data);
    await lines.next();
    const { value: url } = await lines.next();
    expect(url).toMatch(/^postgresql:/);
    const first = await start({ directory: made });
    expect(await systemIdentifier(url)).toBe(await systemIdentifier(first.url));
    await kill(child);
    expect((await readdir(directory)).sort()).toEqual(['data', 'password', 'postgres.log', 'server.json']);
  });
});

describe('the search for the embedded PostgreSQL', () => {
  it('reports a file that it cannot read, and does not report that no server runs', async () => {
    await mkdir(join(data, 'postmaster.pid'), { recursive: true });
    await expect(findEmbeddedPostgres(directory)).rejects.toThrow('EISDIR');
    await rm(data, { recursive: true });
  });

  it('finds no server in a folder that is a file', async () => {
    await writeFile(data, '');
    expect(await findEmbeddedPostgres(directory)).toBeNull();
  });

  it('gives each login its own URL, and only the owner the URL of the superuser', async () => {
    await copyMade();
    const { url } = await start();
    const home = join(directory, 'home');
    await mkdir(home);
    await symlink(directory, join(home, 'postgres'));
    const located = { databaseUrl: undefined, home };
    expect(await locateDatabase(located, 'owner')).toBe(url);
    const [ops, api] = [new URL(await locateDatabase(located)), new URL(await locateDatabase(located, 'api'))];
    expect([ops.username, api.username]).toEqual(['milepost_ops_login', 'milepost_api_login']);
    expect([ops.host, api.host]).toEqual([new URL(url).host, new URL(url).host]);
    expect(await locateDatabase({ ...located, databaseUrl: 'postgres://db/other' }, 'api')).toBe('postgres://db/other');
  });
});
