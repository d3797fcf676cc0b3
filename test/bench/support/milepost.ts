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

/** A Milepost on an empty database of its own, with everything durable as in production. */
export interface BenchMilepost {
  url: string;
  directory: string;
  /** Starts a long-running command such as `api`; its log is shown, or with `pipe` left to the caller. */
  start: (verb: string, environment?: Record<string, string>, log?: 'inherit' | 'pipe') => ChildProcess;
  /** Runs a command to its end and returns what it printed. */
  run: (...parameters: string[]) => Promise<string>;
  stop: () => Promise<void>;
}

/** Starts an embedded PostgreSQL in a temporary directory and migrates it. */
export async function startMilepost(): Promise<BenchMilepost> {
  const directory = await mkdtemp(join(tmpdir(), 'milepost-bench-'));
  const server = await startEmbeddedPostgres({ directory: join(directory, 'postgres') });
  await prepareDatabase(server.url, {});
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
      if (child.exitCode !== 0) throw new Error(`milepost ${parameters.join(' ')} ended with ${child.exitCode}.`);
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
