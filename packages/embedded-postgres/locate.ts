import { resolve } from 'node:path';
import { type Login, loginUrl } from '@milepost/postgres';

/** No database was named and none of ours runs. The message says what to do. */
class DatabaseNotFoundError extends Error {
  override name = 'DatabaseNotFoundError';
}

/** Where the embedded server of a Milepost home lives. */
export function embeddedDirectory(home: string): string {
  return resolve(home, 'postgres');
}

/**
 * The address of the database to work on: the one named, else the embedded server that runs for this home.
 *
 * @param login whose login to use on the embedded server; `owner` may do everything
 * @throws DatabaseNotFoundError when there is neither
 */
export async function locateDatabase(
  options: { databaseUrl: string | undefined; home: string },
  login: Login | 'owner' = 'ops',
): Promise<string> {
  if (options.databaseUrl !== undefined) return options.databaseUrl;
  // Loaded where it is needed: a process with a database of its own has no use for the server's binaries.
  const { findEmbeddedPostgres } = await import('./index.ts');
  const server = await findEmbeddedPostgres(embeddedDirectory(options.home));
  if (server) return login === 'owner' ? server.url : loginUrl(server.url, login);
  throw new DatabaseNotFoundError(
    `No Milepost runs under ${resolve(options.home)}: start one with \`npm start\` or \`milepost up\`, or set DATABASE_URL.`,
  );
}
