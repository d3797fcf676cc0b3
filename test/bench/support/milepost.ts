import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { startEmbeddedPostgres } from '@milepost/embedded-postgres';
import { prepareDatabase } from '../../../apps/cli/prepare-database.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const COMMAND = join(ROOT, 'apps/cli/main.ts');

/** A Milepost on a new, empty database with the durability of production. */
export interface BenchMilepost {
  url: string;
  directory: string;
  /** Starts a long-running command such as `api`. Its log is printed; with `pipe`, the caller reads it. */
  start: (verb: string, environment?: Record<string, string>, log?: 'inherit' | 'pipe') => ChildProcess;
  /** Runs a command to its end and returns its output. */
  run: (...parameters: string[]) => Promise<string>;
  stop: () => Promise<void>;
}

/** Starts an embedded PostgreSQL in a temporary directory and migrates it. */
export async function startMilepost(): Promise<BenchMilepost> {
  const directory = await mkdtemp(join(tmpdir(), 'milepost-bench-'));
  const server = await startEmbeddedPostgres({ directory: join(directory, 'postgres') });
  await prepareDatabase(server.url);
  const children: ChildProcess[] = [];
  const environment = { ...process.env, DATABASE_URL: server.url, MILEPOST_HOME: directory, LOG_LEVEL: 'warn' };
  return {
    url: server.url,
    directory,
    start: (verb, more = {}, log = 'inherit') => {
      const child = spawn(process.execPath, [COMMAND, verb], {
        env: { ...environment, ...more },
        stdio: ['inherit', 'inherit', log],
      });
      children.push(child);
      return child;
    },
    run: async (...parameters) => {
      const child = spawn(process.execPath, [COMMAND, ...parameters], {
        env: environment,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
      if (child.exitCode !== 0)
        throw new Error(`milepost ${parameters.join(' ')} ended with exit code ${child.exitCode}.`);
      return output;
    },
    stop: async () => {
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode !== null) return;
          const ended = once(child, 'close');
          child.kill('SIGTERM');
          await ended;
        }),
      );
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
