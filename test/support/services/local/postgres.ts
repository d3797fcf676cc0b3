import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@milepost/embedded-postgres';
import { guard } from '../guard.ts';
import { POSTGRES_SETTINGS } from '../postgres-settings.ts';
import type { Started } from '../services.ts';
import { removeDirectory, temporaryDirectory } from './directory.ts';

/** Starts the embedded PostgreSQL in a directory that is deleted at the end of the run. */
export async function startLocalPostgres(): Promise<Started<string>> {
  const directory = await temporaryDirectory('postgres');
  try {
    const server = await startEmbeddedPostgres({ directory, settings: POSTGRES_SETTINGS });
    const [pid = ''] = (await readFile(join(directory, 'data', 'postmaster.pid'), 'utf8')).split('\n');
    const script = 'kill -QUIT "$1"; while kill -0 "$1"; do sleep 0.1; done; rm -rf "$2"';
    const release = guard(['sh', '-c', script, 'guard', pid, directory]);
    return {
      address: server.url,
      stop: async () => {
        await server.stop();
        await removeDirectory(directory);
        release();
      },
    };
  } catch (error) {
    await removeDirectory(directory);
    throw error;
  }
}
