import { embeddedDirectory } from '@milepost/embedded-postgres/locate';
import { derivedPasswords, type Login, type LoginPasswords, loginUrl } from '@milepost/postgres';
import type { UpSettings } from '../config.ts';

interface UpDatabase {
  /** The URL with the login of the database's owner. */
  url: string;
  /** Returns the URL for a process. On the embedded server, the URL contains the process's login. */
  urlOf: (login: Login) => string;
  /** The passwords of the logins to create. */
  passwords: LoginPasswords;
  /** Stops the server if it is the embedded one. */
  stop: () => Promise<void>;
}

/**
 * Opens the configured database. If none is configured, uses the running embedded server or starts one, and restarts it
 * if it ends unexpectedly.
 *
 * @param signal cancels the start
 * @param onEnd called with the reason when an embedded server has ended and could not be restarted for a minute
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
