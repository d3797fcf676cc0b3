import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@milepost/embedded-postgres';
import { Pool } from 'pg';
import { prepareDatabase } from '../../../apps/cli/prepare-database.ts';
import { ON_LANE } from '../../support/database.ts';
import { ended, environment, expectSuccess, milepost, type Settings, start } from '../../support/milepost.ts';
import { removeDirectory, temporaryDirectory } from '../../support/services/directory.ts';
import { freePorts } from '../../support/services/free-port.ts';
import { guardProcess } from '../../support/services/guard.ts';

/** A Milepost instance on a new, empty database with production's durability. Disposing of it stops everything. */
export type BenchMilepost = Awaited<ReturnType<typeof startMilepost>>;

/** Asks a process to stop and waits until it has ended. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** Opens the owner's only connection to a database's lane. */
export function openOwner(url: string): Pool {
  const pool = new Pool({ connectionString: url, max: 1, ...ON_LANE });
  // The server may end a connection while the pool is closing it.
  pool.on('error', () => {});
  return pool;
}

/** Starts an embedded PostgreSQL in a temporary directory and migrates it. */
export async function startMilepost() {
  const directory = await temporaryDirectory('bench');
  const server = await startEmbeddedPostgres({ directory: join(directory, 'postgres') });
  const processIds = await readFile(join(directory, 'postgres/data/postmaster.pid'), 'utf8');
  await prepareDatabase(server.url);
  const database = openOwner(server.url);
  const children: ChildProcess[] = [];
  const own = { DATABASE_URL: server.url, MILEPOST_HOME: directory, LOG_LEVEL: 'warn' };
  const startChild = (verb: string, more: Settings = {}, log: 'inherit' | 'pipe' = 'inherit'): ChildProcess => {
    const [program, ...words] = milepost([verb]);
    const child = spawn(program, words, { env: environment({ ...own, ...more }), stdio: ['inherit', 'inherit', log] });
    guardProcess(child);
    children.push(child);
    return child;
  };
  return {
    url: server.url,
    directory,
    /** The id of PostgreSQL's first process, which is the ancestor of the server's other processes. */
    postgresProcessId: Number.parseInt(processIds, 10),
    /** The owner's connection, which the first statement opens. */
    database,
    /** Starts a long-running command such as `api`. Its log is printed; with `pipe`, the caller reads it instead. */
    start: startChild,
    /** Starts `ops`, which runs replays. */
    startOps: async () => {
      const [port] = await freePorts(1);
      return startChild('ops', { OPS_PORT: String(port), OPS_TOKEN: 'bench' });
    },
    /** Runs a command to completion and returns its output. */
    run: async (...words: string[]) => {
      const result = await ended(start(milepost(words), own));
      expectSuccess(result);
      return result.stdout;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(children.map(stopChild));
      await database.end();
      await server.stop();
      await removeDirectory(directory);
    },
  };
}
