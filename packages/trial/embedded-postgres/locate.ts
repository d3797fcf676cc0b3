import { resolve } from 'node:path';
import { type Login, loginUrl } from '@milepost/postgres';

/** Returns the embedded server's folder in a Milepost home. */
export function embeddedDirectory(home: string): string {
  return resolve(home, 'postgres');
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
  // Imported on demand, because a process with a configured database does not need the server's binaries.
  const { findEmbeddedPostgres } = await import('./index.ts');
  const server = await findEmbeddedPostgres(embeddedDirectory(options.home));
  if (server) return login === 'owner' ? server.url : loginUrl(server.url, login);
  throw new Error(
    `Milepost is not running under ${resolve(options.home)}: start it with \`npm start\` or \`milepost up\`, or set DATABASE_URL.`,
  );
}
