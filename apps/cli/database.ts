import { locateDatabase } from '@milepost/embedded-postgres/locate';
import { createPool, type Pool, type Role, sqlState } from '@milepost/postgres';
import { databaseSettings } from './config.ts';
import { sentenceOf } from './failure.ts';

const UNDEFINED_TABLE = '42P01';
const INVALID_SCHEMA = '3F000';

/** The database cannot be used as it is. The message says which and why, without the password. */
export class DatabaseError extends Error {
  override name = 'DatabaseError';
}

/** Whether the schema, or the roles that come with it, are missing. */
export function isNotMigrated(error: unknown): boolean {
  const state = sqlState(error);
  return (
    state === UNDEFINED_TABLE || state === INVALID_SCHEMA || /role "milepost_\w+" does not exist/.test(String(error))
  );
}

/** Turns an error of a connection attempt, or of a statement on a database without our schema, into one that says so. */
export function databaseError(error: unknown, url: string): DatabaseError {
  const { hostname, port, pathname } = new URL(url);
  const place = `${pathname.slice(1)} at ${hostname}${port === '' ? '' : `:${port}`}`;
  if (isNotMigrated(error)) {
    return new DatabaseError(`The database ${place} has no Milepost in it yet: run \`milepost migrate\` first.`);
  }
  return new DatabaseError(`The database ${place} cannot be used: ${sentenceOf(error)}.`);
}

/**
 * Runs `work` with a pool that acts in `role`, on the database that the settings name or the embedded one that runs.
 *
 * @throws DatabaseError, DatabaseNotFoundError, SettingError
 */
export async function withPool<Result>(role: Role, work: (pool: Pool) => Promise<Result>): Promise<Result> {
  const url = await locateDatabase(databaseSettings());
  return await withPoolAt(url, role, work);
}

/** Like `withPool`, on a database already known; without a role with all the rights of the login. */
export async function withPoolAt<Result>(
  url: string,
  role: Role | undefined,
  work: (pool: Pool) => Promise<Result>,
): Promise<Result> {
  const pool = createPool({
    url,
    ...(role ? { role } : {}),
    applicationName: 'milepost-cli',
    connections: 4,
    statementTimeoutMilliseconds: 60_000,
  });
  try {
    await pool.query('SELECT 1').catch((error: unknown) => {
      throw databaseError(error, url);
    });
    return await work(pool);
  } catch (error) {
    throw isNotMigrated(error) ? databaseError(error, url) : error;
  } finally {
    await pool.end();
  }
}
