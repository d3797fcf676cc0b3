import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@milepost/embedded-postgres';
import { laneAt, type Pool } from '@milepost/postgres';
import { prepareDatabase } from '../../../apps/cli/prepare-database.ts';
import { ended, environment, expectSuccess, milepost, type Settings, start } from '../../support/milepost.ts';
import { openPartPool } from '../../support/pipeline.ts';
import { removeDirectory, temporaryDirectory } from '../../support/services/directory.ts';
import { guardProcess } from '../../support/services/guard.ts';
import { administer, databaseUrl } from '../../support/template.ts';

/** A Milepost instance on a new, empty database with production's durability. Disposing of it stops everything. */
export type BenchMilepost = Awaited<ReturnType<typeof startMilepost>>;

/** Asks a process to stop and waits until it has ended. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** Opens the owner's only connection to a database's lane, on which a statement may take any time. */
export function openOwner(url: string): Pool {
  return openPartPool(laneAt(url), undefined, 1, { statementTimeoutMilliseconds: 0 });
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
    /**
     * Creates a database on the server. `migrated` copies Milepost's empty database, which must have no connections;
     * `plain` creates a database without tables. First runs a checkpoint, so that the next round does not have to write
     * the data of earlier rounds.
     */
    createDatabase: async (content: 'migrated' | 'plain') => {
      const name = `bench_${randomBytes(6).toString('hex')}`;
      const postgres = databaseUrl(server.url, 'postgres');
      const template = content === 'migrated' ? new URL(server.url).pathname.slice(1) : 'template1';
      await administer(postgres, [`CREATE DATABASE ${name} TEMPLATE ${template}`, 'CHECKPOINT']);
      const drop = async () => await administer(postgres, [`DROP DATABASE ${name} WITH (FORCE)`]);
      return { url: databaseUrl(server.url, name), drop };
    },
    /** Starts a long-running command such as `api`. Its log is printed; with `pipe`, the caller reads it instead. */
    start: startChild,
    /** Starts `ops`, which runs replays. */
    startOps: () => startChild('ops', { OPS_PORT: '0', OPS_TOKEN: 'bench' }),
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
