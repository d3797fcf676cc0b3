import { locateDatabase } from '@milepost/embedded-postgres/locate';
import { createPool, type Pool, type Role, sqlState, unprepared } from '@milepost/postgres';
import { databaseSettings } from './config.ts';
import { sentenceOf } from './failure.ts';

const UNDEFINED_TABLE = '42P01';
const INVALID_SCHEMA = '3F000';

/** The database cannot be used as it is. The message says which and why, without the password. */
class DatabaseError extends Error {
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
  const address = `${pathname.slice(1)} at ${hostname}${port === '' ? '' : `:${port}`}`;
  if (isNotMigrated(error)) {
    return new DatabaseError(`The database ${address} has no Milepost in it yet: run \`milepost migrate\` first.`);
  }
  return new DatabaseError(`The database ${address} cannot be used: ${sentenceOf(error)}.`);
}

/** A pool of a command, which acts in `role`; without one with all the rights of the login. */
export function openPool(url: string, role: Role | undefined): Pool {
  const settings = { url, applicationName: 'milepost-cli', connections: 4, statementTimeoutMilliseconds: 60_000 };
  return createPool({ ...settings, ...(role ? { role } : {}) });
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
  const pool = openPool(url, role);
  try {
    await unprepared(pool, {}, 'SELECT').catch((error: unknown) => {
      throw databaseError(error, url);
    });
    return await work(pool);
  } catch (error) {
    throw isNotMigrated(error) ? databaseError(error, url) : error;
  } finally {
    await pool.end();
  }
}
