import { embeddedDirectory } from '@milepost/postgres/locate';
import type { UpSettings } from '../config.ts';

export interface UpDatabase {
  url: string;
  /** Stops the server when it is ours. */
  stop: () => Promise<void>;
}

/** The database that the settings name, or an embedded server that is started, or taken over, for it. */
export async function openDatabase(settings: UpSettings, say: (line: string) => void): Promise<UpDatabase> {
  if (settings.databaseUrl !== undefined) return { url: settings.databaseUrl, stop: async () => {} };
  const { startEmbeddedPostgres } = await import('@milepost/postgres/embedded');
  const server = await startEmbeddedPostgres({ directory: embeddedDirectory(settings.home), log: say });
  return { url: server.url, stop: server.stop };
}
