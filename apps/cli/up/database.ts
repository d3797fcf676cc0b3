import { join } from 'node:path';
import { embeddedDirectory } from '@milepost/postgres/locate';
import type { UpSettings } from '../config.ts';

const WATCH_MILLISECONDS = 2_000;

export interface UpDatabase {
  url: string;
  /** Stops the server when it is ours. */
  stop: () => Promise<void>;
}

/**
 * The database that the settings name, or an embedded server that is started, or taken over, for it.
 *
 * @param onEnd called with the reason when an embedded server ends before `stop`
 */
export async function openDatabase(
  settings: UpSettings,
  say: (line: string) => void,
  onEnd: (error: Error) => void,
): Promise<UpDatabase> {
  if (settings.databaseUrl !== undefined) return { url: settings.databaseUrl, stop: async () => {} };
  const { findEmbeddedPostgres, startEmbeddedPostgres } = await import('@milepost/postgres/embedded');
  const directory = embeddedDirectory(settings.home);
  const server = await startEmbeddedPostgres({ directory, log: say });
  const watch = setInterval(async () => {
    if ((await findEmbeddedPostgres(directory)) !== null) return;
    clearInterval(watch);
    onEnd(
      new Error(`The embedded PostgreSQL ended by itself: its last words are in ${join(directory, 'postgres.log')}.`),
    );
  }, WATCH_MILLISECONDS);
  const stop = async () => {
    clearInterval(watch);
    await server.stop();
  };
  return { url: server.url, stop };
}
