import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@milepost/embedded-postgres';
import { execute } from '../execute.ts';
import { startInDirectory } from '../services/directory.ts';

/** `full_page_writes` stays on, because a server that is killed during a write can leave a partial page behind. */
const SETTINGS = { fsync: 'off', shared_buffers: '64MB', max_connections: '250' };

/** Kills the process with this id and its children, and waits until all of them have ended. */
const KILL = `
pids="$1 $(ps -A -o pid=,ppid= | awk -v parent="$1" '$2 == parent { print $1 }')"
kill -KILL $pids
for pid in $pids; do while kill -0 "$pid"; do sleep 0.005; done; done`;

/**
 * Kills a directory's server without a shutdown, as if its machine were lost. If only the postmaster were killed, its
 * child processes would keep running.
 */
export async function killServer(directory: string): Promise<void> {
  const [postmaster = ''] = (await readFile(join(directory, 'data', 'postmaster.pid'), 'utf8')).split('\n');
  await execute('sh', ['-c', KILL, 'kill', postmaster]);
}

/**
 * Starts a PostgreSQL server that belongs to one test. A kill ends the postmaster and all its child processes. After a
 * restart, the server recovers from its WAL.
 */
export async function startKillablePostgres() {
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
