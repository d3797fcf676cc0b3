import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@milepost/embedded-postgres';
import { execute } from '../execute.ts';
import { startInDirectory } from '../services/directory.ts';
import type { KillableServer } from '../services/local/process.ts';

/** `full_page_writes` stays on, because a server that is killed during a write can leave a partial page behind. */
const SETTINGS = { fsync: 'off', shared_buffers: '64MB', max_connections: '250' };

/**
 * Kills a directory's server without a shutdown. If only the postmaster were killed, its child processes would keep
 * running.
 */
async function killServer(directory: string): Promise<void> {
  const [postmaster = ''] = (await readFile(join(directory, 'data', 'postmaster.pid'), 'utf8')).split('\n');
  const { stdout } = await execute('ps', ['-A', '-o', 'pid=,ppid=']);
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const children = pairs.filter(([, parent]) => parent === postmaster).map(([pid]) => Number(pid));
  const all = [Number(postmaster), ...children];
  for (const pid of all) signal(pid, 'SIGKILL');
  while (all.some((pid) => signal(pid, 0))) await delay(5);
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/**
 * Starts a PostgreSQL server that belongs to one test. A kill ends the postmaster and all its child processes. After a
 * restart, the server recovers from its WAL.
 */
export async function startKillablePostgres(): Promise<KillableServer> {
  return await startInDirectory('faults', async (directory) => {
    let server = await startEmbeddedPostgres({ directory, settings: SETTINGS });
    const { url } = server;
    return {
      url,
      kill: async () => await killServer(directory),
      restart: async () => {
        server = await startEmbeddedPostgres({ directory, settings: SETTINGS });
        if (server.url !== url) throw new Error('Another program took the port of the killed PostgreSQL.');
      },
      stop: async () => await server.stop(),
    };
  });
}
