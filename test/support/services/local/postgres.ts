import { startEmbeddedPostgres } from '@milepost/embedded-postgres';
import { startInDirectory } from '../directory.ts';
import { POSTGRES_SETTINGS } from '../postgres-settings.ts';
import type { Started } from '../services.ts';

/** Starts the embedded PostgreSQL in a directory that is deleted when the run ends. */
export async function startLocalPostgres(): Promise<Started<string>> {
  return await startInDirectory('postgres', async (directory) => {
    const { url, stop } = await startEmbeddedPostgres({ directory, settings: POSTGRES_SETTINGS });
    return { address: url, stop };
  });
}
