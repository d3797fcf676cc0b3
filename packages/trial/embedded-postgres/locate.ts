import { resolve } from 'node:path';
import { type Login, loginUrl } from '@milepost/postgres';
import { clearError, filesOf, serverUrl } from './files.ts';
import { runningServer } from './running.ts';

/** Returns the embedded server's folder in a Milepost home. */
export function embeddedDirectory(home: string): string {
  return resolve(home, 'postgres');
}

/**
 * Returns the URL of the server running for `directory`, or null if none is running. A server in recovery refuses
 * connections with an error that says so. Rejects if this user cannot read the directory. Exported for tests.
 */
export async function findEmbeddedPostgres(directory: string): Promise<{ url: string } | null> {
  const files = filesOf(directory);
  try {
    const server = await runningServer(files.data);
    if (server === null || !(server.port > 0)) return null;
    return { url: await serverUrl(files, server.port) };
  } catch (error) {
    throw clearError(error, directory);
  }
}

/**
 * Returns the configured URL of the database or, without one, the URL of the embedded server running for this home.
 *
 * @param login the login on the embedded server; `owner` has all privileges
 * @throws Error if there is neither
 */
export async function locateDatabase(
  options: { databaseUrl: string | undefined; home: string },
  login: Login | 'owner' = 'ops',
): Promise<string> {
  if (options.databaseUrl !== undefined) return options.databaseUrl;
  const server = await findEmbeddedPostgres(embeddedDirectory(options.home));
  if (server) return login === 'owner' ? server.url : loginUrl(server.url, login);
  throw new Error(
    `Milepost is not running under ${resolve(options.home)}: start it with \`npm start\` or \`milepost up\`, or set DATABASE_URL.`,
  );
}
