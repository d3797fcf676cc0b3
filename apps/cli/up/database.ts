import { embeddedDirectory } from '@milepost/embedded-postgres/locate';
import { derivedPasswords, type Login, type LoginPasswords, loginUrl } from '@milepost/postgres';
import type { UpSettings } from '../config.ts';

interface UpDatabase {
  /** The URL with the login that owns the database. */
  url: string;
  /**
   * Returns the URL for a process. On the embedded server, it has the login of the process. Otherwise it is
   * DATABASE_URL.
   */
  urlOf: (login: Login) => string;
  /** The passwords of the logins to create. */
  passwords: LoginPasswords;
  /** Stops the server if it is the embedded one. */
  stop: () => Promise<void>;
}

/**
 * Opens the database in the settings. If the settings name none, it uses the embedded server that is running, or starts
 * one. It restarts the embedded server if that server ends unexpectedly.
 *
 * @param signal cancels the start
 * @param onEnd called with the reason when an embedded server has ended and could not be started again for a minute
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
