import { embeddedDirectory } from '@milepost/postgres/locate';
import type { UpSettings } from '../config.ts';

export interface UpDatabase {
  url: string;
  /** Stops the server when it is ours. */
  stop: () => Promise<void>;
}

/**
 * The database that the settings name, or an embedded server that is started, or taken over, for it, and started again
 * when it ends by itself.
 *
 * @param signal ends the start
 * @param onEnd called with the reason when an embedded server that has ended cannot be started again for a minute
 */
export async function openDatabase(
  settings: UpSettings,
  say: (line: string) => void,
  signal: AbortSignal,
  onEnd: (error: Error) => void,
): Promise<UpDatabase> {
  if (settings.databaseUrl !== undefined) return { url: settings.databaseUrl, stop: async () => {} };
  const { startEmbeddedPostgres } = await import('@milepost/postgres/embedded');
  return await startEmbeddedPostgres({ directory: embeddedDirectory(settings.home), log: say, signal, onEnd });
}
