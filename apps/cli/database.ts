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
  SQLSTATES,
  sqlState,
  unprepared,
} from '@milepost/postgres';
import { locateDatabase } from '@milepost/postgres/embedded';
import { FIRST_LANE, listLanes } from '@milepost/postgres/lanes';
import { databaseSettings } from './config.ts';
import { sentenceOf, UsageError } from './failure.ts';

/** The database cannot be used. The message contains the reason and the database's address, but not the password. */
class DatabaseError extends Error {
  override name = 'DatabaseError';
}

/** Whether the schema or its roles are missing. */
export function isNotMigrated(error: unknown): boolean {
  const state = sqlState(error);
  const isMissing = state === SQLSTATES.undefined_table || state === SQLSTATES.invalid_schema_name;
  return isMissing || /role "milepost_\w+" does not exist/.test(String(error));
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
export function openPool(part: Part, role: Role | undefined, statementTimeoutMilliseconds = 60_000): Pool {
  const settings = { part, applicationName: 'milepost-cli', connections: 4, statementTimeoutMilliseconds };
  return createPool({ ...settings, ...(role ? { role } : {}) });
}

/** The error codes for an address at which no server is running. */
const ABSENT = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * Waits for the database's first response, because a server may accept connections before it can respond. Throws
 * DatabaseError immediately when there is no server at the address.
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

/**
 * Runs `work` with a pool for a lane of a database, by default the first, and with the database's URL. The pool's
 * connections use `role`. Throws DatabaseError, or UsageError for an unknown lane.
 */
export type WithPool = <Result>(
  role: Role,
  work: (pool: Pool, url: string) => Promise<Result>,
  lane?: number,
) => Promise<Result>;

/** Returns a lane of a database. The first lane need not be looked up. Throws UsageError for an unknown lane. */
async function findLane(url: string, number: number, attempts: Attempts): Promise<Part> {
  if (number === FIRST_LANE) return laneAt(url);
  const lanes = await withPoolAt(directoryAt(url), ROLES.operator, listLanes, attempts);
  const lane = lanes.find((each) => each.number === number);
  if (lane) return lane;
  const { refusalSentence } = await import('@milepost/operations/refusals');
  throw new UsageError(refusalSentence({ code: 'lane_not_found', lane: number, last: lanes.length - 1 }));
}

/** Returns the function that runs work with a pool for a lane of the given database. */
export function poolsOf(url: string, attempts: Attempts = once): WithPool {
  return async (role, work, lane = FIRST_LANE) => {
    const part = await findLane(url, lane, attempts);
    return await withPoolAt(part, role, (pool) => work(pool, url), attempts);
  };
}

/**
 * Runs `work` with a pool for a lane of the configured database or the running embedded one.
 *
 * @throws DatabaseError, UsageError for an unknown lane, SettingError, or Error if no database is found
 */
export const withPool: WithPool = async (role, work, lane) =>
  await poolsOf(await locateDatabase(databaseSettings()))(role, work, lane);

/** Runs `work` as `withPool` does, but with a pool for the directory and in the operator's role. */
export async function withDirectory<Result>(work: (directory: Pool) => Promise<Result>): Promise<Result> {
  const url = await locateDatabase(databaseSettings());
  return await withPoolAt(directoryAt(url), ROLES.operator, work);
}

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
