import { locateDatabase } from '@milepost/embedded-postgres/locate';
import {
  assertUsable,
  createPool,
  DatabaseUnusableError,
  directoryAt,
  laneAt,
  type Part,
  type Pool,
  ROLES,
  type Role,
  sqlState,
  unprepared,
} from '@milepost/postgres';
import { FIRST_LANE, listLanes } from '@milepost/postgres/lanes';
import { databaseSettings } from './config.ts';
import { sentenceOf, UsageError } from './failure.ts';

const UNDEFINED_TABLE = '42P01';
const INVALID_SCHEMA = '3F000';

/** The database cannot be used. The message contains the reason and the database's address, but not the password. */
class DatabaseError extends Error {
  override name = 'DatabaseError';
}

/** Whether the schema or its roles are missing. */
export function isNotMigrated(error: unknown): boolean {
  const state = sqlState(error);
  return (
    state === UNDEFINED_TABLE || state === INVALID_SCHEMA || /role "milepost_\w+" does not exist/.test(String(error))
  );
}

/**
 * Converts the error of a failed connection, or of a statement on an unmigrated database, to a DatabaseError. An error
 * that already names a remedy is returned unchanged.
 */
export function databaseError(error: unknown, url: string): DatabaseError | DatabaseUnusableError {
  if (error instanceof DatabaseError || error instanceof DatabaseUnusableError) return error;
  const { hostname, port, pathname } = new URL(url);
  const address = `${pathname.slice(1)} at ${hostname}${port === '' ? '' : `:${port}`}`;
  if (isNotMigrated(error)) {
    return new DatabaseError(`The database ${address} has no Milepost schema yet: run \`milepost migrate\` first.`);
  }
  return new DatabaseError(`The database ${address} cannot be used: ${sentenceOf(error)}.`);
}

/** Opens the pool for a command. Its connections use `role` or, if it is undefined, the user in the URL. */
export function openPool(part: Part, role: Role | undefined): Pool {
  const settings = { part, applicationName: 'milepost-cli', connections: 4, statementTimeoutMilliseconds: 60_000 };
  return createPool({ ...settings, ...(role ? { role } : {}) });
}

/** The error codes for an address at which no server is running. */
const ABSENT = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * Waits for the database's first response, because a server may accept connections before it can respond.
 *
 * @throws DatabaseError immediately when there is no server at the address
 */
export async function connectFirst(url: string, attempts: Attempts): Promise<void> {
  const pool = openPool(laneAt(url), undefined);
  try {
    await attempts(() =>
      unprepared(pool, {}, 'SELECT').catch((error: unknown) => {
        const isAbsent = error instanceof Error && 'code' in error && ABSENT.has(String(error.code));
        throw isAbsent ? databaseError(error, url) : error;
      }),
    );
  } catch (error) {
    throw databaseError(error, url);
  } finally {
    await pool.end();
  }
}

/** The number of a lane, or the directory. */
type Place = number | 'directory';

/**
 * Runs `work` with a pool for a place in a database, by default the first lane, and with the database's URL. The pool's
 * connections use `role`.
 */
export type WithPool = <Result>(
  role: Role,
  work: (pool: Pool, url: string) => Promise<Result>,
  place?: Place,
) => Promise<Result>;

/** Returns a place in a database. The first lane need not be looked up. Throws UsageError for an unknown lane. */
async function findPart(url: string, place: Place, attempts: Attempts): Promise<Part> {
  const directory = directoryAt(url);
  if (place === 'directory') return directory;
  if (place === FIRST_LANE) return laneAt(url);
  const lanes = await withPoolAt(directory, ROLES.operator, (pool) => listLanes(pool, url), attempts);
  const lane = lanes.find(({ number }) => number === place);
  if (lane) return lane;
  const { refusalSentence } = await import('@milepost/operations/refusals');
  throw new UsageError(refusalSentence({ code: 'lane_not_found', lane: place, last: lanes.length - 1 }));
}

/** Returns the function that opens pools for places in the given database. */
export function poolsOf(url: string, attempts: Attempts = once): WithPool {
  return async (role, work, place = FIRST_LANE) => {
    const part = await findPart(url, place, attempts);
    return await withPoolAt(part, role, (pool) => work(pool, url), attempts);
  };
}

/**
 * Opens pools for places in the configured database or the running embedded one.
 *
 * @throws DatabaseError, SettingError, or Error if no database is found
 */
export const withPool: WithPool = async (role, work, place) =>
  await poolsOf(await locateDatabase(databaseSettings()))(role, work, place);

/** Runs work on the database, either once or repeatedly until it ends without a transient error. */
export type Attempts = <Result>(work: () => Promise<Result>) => Promise<Result>;

export const once: Attempts = async (work) => await work();

/**
 * Runs `work` with a pool for the lane or the directory. The pool uses `role`, or else the user in the URL.
 *
 * @param attempts runs the connection attempt and the work, and may repeat either; by default, it runs each once
 */
export async function withPoolAt<Result>(
  part: Part,
  role: Role | undefined,
  work: (pool: Pool) => Promise<Result>,
  attempts: Attempts = once,
): Promise<Result> {
  const pool = openPool(part, role);
  try {
    await attempts(() => assertUsable(pool)).catch((error: unknown) => {
      throw databaseError(error, part.url);
    });
    return await attempts(() => work(pool));
  } catch (error) {
    throw isNotMigrated(error) ? databaseError(error, part.url) : error;
  } finally {
    await pool.end();
  }
}
