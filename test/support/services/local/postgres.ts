import { startEmbeddedPostgres } from '@milepost/embedded-postgres';
import { removeDirectory, temporaryDirectory } from '../directory.ts';
import { POSTGRES_SETTINGS } from '../postgres-settings.ts';
import type { Started } from '../services.ts';

/** Starts the embedded PostgreSQL in a directory that is deleted when the run ends. */
export async function startLocalPostgres(): Promise<Started<string>> {
  const directory = await temporaryDirectory('postgres');
  try {
    const server = await startEmbeddedPostgres({ directory, settings: POSTGRES_SETTINGS });
    return {
      address: server.url,
      stop: async () => {
        await server.stop();
        await removeDirectory(directory);
      },
    };
  } catch (error) {
    await removeDirectory(directory);
    throw error;
  }
}
