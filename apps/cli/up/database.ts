import { embeddedDirectory } from '@milepost/embedded-postgres/locate';
import { derivedPasswords, type Login, type LoginPasswords, loginUrl } from '@milepost/postgres';
import type { UpSettings } from '../config.ts';

interface UpDatabase {
  /** Of the login that owns the database. */
  url: string;
  /** The address that a process gets: its own login's when the server is ours, else the only one that we know. */
  urlOf: (login: Login) => string;
  /** Of the logins that are to be made. */
  passwords: LoginPasswords;
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
  const { databaseUrl } = settings;
  if (databaseUrl !== undefined) {
    return { url: databaseUrl, urlOf: () => databaseUrl, passwords: {}, stop: async () => {} };
  }
  const { startEmbeddedPostgres } = await import('@milepost/embedded-postgres');
  const directory = embeddedDirectory(settings.home);
  const { url, stop } = await startEmbeddedPostgres({ directory, log: say, signal, onEnd });
  return { url, urlOf: (login) => loginUrl(url, login), passwords: derivedPasswords(url), stop };
}
