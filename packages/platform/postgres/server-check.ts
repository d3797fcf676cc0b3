import type { Pool, PoolClient } from 'pg';
import { SQLSTATES, sqlState } from './errors.ts';
import { listMigrations, newerSchema } from './known-migrations.ts';
import type { Part } from './parts.ts';
import { partPool } from './pool.ts';
import { type RetryOptions, retryTransientErrors } from './retry.ts';
import { ROLES, type Role } from './roles.ts';
import { isTransactionPooled } from './session.ts';
import { columns, query, queryRow, type RowOf, statement } from './statement.ts';

/** The oldest and newest versions of PostgreSQL that the tests use. */
const MIN_VERSION = 16;
const MAX_VERSION = 18;

/** The server, the session or the schema is not what a process needs. The message is one sentence. */
export class DatabaseUnusableError extends Error {
  override name = 'DatabaseUnusableError';
}

/** The result of one check of a connection. */
export interface ServerCheck {
  check: 'version' | 'encoding' | 'pool_mode' | 'search_path' | 'role' | 'schema' | 'privileges' | 'migrations';
  /** Null if the check passed, otherwise one sentence about the fault and its remedy. */
  fault: string | null;
}

/**
 * For each role, a sample of the relations that it needs in a lane or the directory, each followed by the privilege.
 */
const NEEDED: Record<Role, Record<Part['kind'], readonly string[]>> = {
  [ROLES.api]: { lane: ['applied_lag SELECT'], directory: ['valid_api_key SELECT'] },
  [ROLES.ingest]: { lane: ['log_head UPDATE', 'stored_event INSERT', 'log_source UPDATE'], directory: [] },
  [ROLES.projector]: { lane: ['stored_event SELECT', 'generation UPDATE'], directory: [] },
  [ROLES.operator]: {
    lane: ['stored_event SELECT', 'replay INSERT'],
    directory: ['api_key INSERT', 'operator_action INSERT'],
  },
  [ROLES.eraser]: { lane: ['log_head UPDATE', 'erasure INSERT'], directory: [] },
};

const READ_SERVER = statement('check-server', { version: 'text', version_number: 'number', encoding: 'text' })`
  SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer AS version_number,
  current_setting('server_encoding') AS encoding`;

const READ_SESSION = statement('check-session', {
  ...columns('text', 'database', 'login', 'acting_role', 'search_path'),
  /** Whether the schema has the list of migrations. */
  migrated: 'boolean',
  missing_privileges: 'text[]',
})`
  SELECT current_database()::text AS database, session_user::text AS login, current_user::text AS acting_role,
  current_setting('search_path') AS search_path,
  EXISTS (SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = $1 AND relname = 'migration') AS migrated,
  array (
    SELECT needed FROM unnest($2::text[]) AS needed
    WHERE NOT coalesce((
      SELECT has_schema_privilege(relnamespace, 'USAGE')
        AND (has_table_privilege(pg_class.oid, split_part(needed, ' ', 2))
          OR has_any_column_privilege(pg_class.oid, split_part(needed, ' ', 2)))
      FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname = $1 AND relname = split_part(needed, ' ', 1)), false)) AS missing_privileges`;

function sessionChecks(session: RowOf<typeof READ_SESSION>, part: Part, role: Role | undefined): ServerCheck[] {
  const { database, login, acting_role, search_path, migrated, missing_privileges } = session;
  const pooler =
    'A pooler between this process and PostgreSQL has probably dropped the setting (docs/connections.md#poolers)';
  const path = `The connection for ${login} uses the search_path ${search_path} instead of ${part.schema}. ${pooler}.`;
  const acting = `The connection for ${login} acts as role ${acting_role} instead of ${role}. ${pooler}.`;
  const absent = `Database ${database} has no Milepost schema ${part.schema} yet: run \`milepost migrate\` first.`;
  const lacking = `Role ${acting_role} lacks privileges in schema ${part.schema} (${missing_privileges.join(', ')}): run this release's \`milepost migrate\`.`;
  return [
    { check: 'search_path', fault: search_path === part.schema ? null : path },
    { check: 'role', fault: role === undefined || acting_role === role ? null : acting },
    { check: 'schema', fault: migrated ? null : absent },
    { check: 'privileges', fault: migrated && missing_privileges.length > 0 ? lacking : null },
  ];
}

/** Checks the version and the encoding of the server behind a pool. */
export async function checkServer(pool: Pool): Promise<ServerCheck[]> {
  const { version, version_number, encoding } = await queryRow(pool, READ_SERVER);
  const major = Math.floor(version_number / 10_000);
  const isSupported = major >= MIN_VERSION && major <= MAX_VERSION;
  const unsupported = `The server is PostgreSQL ${version}, but Milepost supports ${MIN_VERSION} to ${MAX_VERSION}: use a server of one of these versions.`;
  const encoded = `The encoding of the database is ${encoding}, but Milepost needs UTF8: create the database with \`ENCODING 'UTF8' TEMPLATE template0\`.`;
  return [
    { check: 'version', fault: isSupported ? null : unsupported },
    { check: 'encoding', fault: encoding === 'UTF8' ? null : encoded },
  ];
}

const READ_PROCESS = statement('backend-process', { pid: 'number' })`SELECT pg_backend_pid() AS pid`;

/** How many times the pool-mode check queries each of two connections. */
const LOOKS = 3;

async function backendPid(client: PoolClient): Promise<number> {
  return (await queryRow(client, READ_PROCESS)).pid;
}

/**
 * Whether two open connections share a PostgreSQL session or one of them moves to another session. Both happen only
 * behind a pooler in transaction mode. The pooler can remain undetected while it has many idle sessions.
 */
async function sharesSessions(pool: Pool): Promise<boolean> {
  const one = await pool.connect();
  try {
    const first = await backendPid(one);
    // A pooler invents the process ids of its connections.
    if (Reflect.get(one, 'processID') === first || pool.options.max < 2) return false;
    const other = await pool.connect();
    try {
      const second = await backendPid(other);
      for (let look = 0; look < LOOKS; look += 1) {
        if (first === second || first !== (await backendPid(one)) || second !== (await backendPid(other))) return true;
      }
      return false;
    } finally {
      other.release();
    }
  } finally {
    one.release();
  }
}

/** Checks that a pooler in transaction mode, if there is one, is declared in the settings. */
export async function checkPoolMode(pool: Pool): Promise<ServerCheck> {
  const isUndeclared = !isTransactionPooled(partPool(pool).part.url) && (await sharesSessions(pool));
  const fault =
    'DATABASE_URL names a pooler in transaction mode: set DATABASE_URL_DIRECT to the address of PostgreSQL itself (docs/connections.md#poolers), or use session mode.';
  return { check: 'pool_mode', fault: isUndeclared ? fault : null };
}

const FIND_UNKNOWN_MIGRATION = statement('find-unknown-migration', { number: 'number', name: 'text' })`
  SELECT number, name FROM migration WHERE breaking AND number <> ALL ($1::integer[]) ORDER BY number LIMIT 1`;

/** Checks that no newer release has made a breaking change to the pool's schema. */
async function checkMigrations(pool: Pool, { kind, schema }: Part): Promise<ServerCheck> {
  const known = listMigrations(kind).map(({ number }) => number);
  const [unknown] = await query(pool, FIND_UNKNOWN_MIGRATION, [known]);
  return { check: 'migrations', fault: unknown ? newerSchema(schema, unknown) : null };
}

/**
 * Checks that a pool has the schema, the role and the privileges for which it was opened, and that this release
 * recognizes the schema.
 */
export async function checkSession(pool: Pool): Promise<ServerCheck[]> {
  const { part, servers } = partPool(pool);
  const { role } = servers.options;
  const needed = role === undefined ? [] : [...NEEDED[role][part.kind], 'migration SELECT'];
  const checks = sessionChecks(await queryRow(pool, READ_SESSION, [part.schema, needed]), part, role);
  // If another check has failed, the list of migrations may be missing or unreadable.
  if (checks.some(({ fault }) => fault !== null)) return checks;
  return [...checks, await checkMigrations(pool, part)];
}

const MISSING_ROLE = /role "(milepost_\w+)" does not exist/;
const UNSUPPORTED_PARAMETER = /unsupported startup parameter/;

/** Returns a sentence about an error on the first connection if its remedy is known; null for any other error. */
function remedyOf(error: unknown, role: Role | undefined): string | null {
  const message = String(error);
  const [, missing] = MISSING_ROLE.exec(message) ?? [];
  if (missing !== undefined) {
    return `The server has no Milepost role ${missing} yet: run \`milepost migrate\` first.`;
  }
  if (UNSUPPORTED_PARAMETER.test(message)) {
    return 'The pooler in DATABASE_URL does not track the search_path of its clients: set `track_extra_parameters = IntervalStyle, search_path` in pgbouncer.ini, and remove other `options` from DATABASE_URL.';
  }
  if (sqlState(error) === SQLSTATES.insufficient_privilege && /set role/.test(message)) {
    return `The user in DATABASE_URL is not allowed to act as role ${role}: use the login that \`milepost migrate\` created for this process.`;
  }
  return null;
}

function assertPassed(checks: readonly ServerCheck[]): void {
  const failed = checks.find(({ fault }) => fault !== null);
  if (failed?.fault) throw new DatabaseUnusableError(failed.fault);
}

/** Throws DatabaseUnusableError with the first fault found in the server's version or encoding. */
export async function assertServer(pool: Pool): Promise<void> {
  assertPassed(await checkServer(pool));
}

/**
 * Throws DatabaseUnusableError with the first fault found in the server, the session or the schema. Throws any other
 * connection error unchanged.
 */
export async function assertUsable(pool: Pool): Promise<void> {
  try {
    await assertServer(pool);
    assertPassed([await checkPoolMode(pool), ...(await checkSession(pool))]);
  } catch (error) {
    const remedy = remedyOf(error, partPool(pool).servers.options.role);
    throw remedy === null ? error : new DatabaseUnusableError(remedy, { cause: error });
  }
}

/**
 * Checks pools when a process starts and waits with backoff for a database that is not ready. Resolves when all checks
 * have passed, or when the signal aborts.
 *
 * @throws DatabaseUnusableError
 */
export async function checkAtStart(pools: readonly Pool[], options: RetryOptions): Promise<void> {
  try {
    for (const pool of pools) await retryTransientErrors(() => assertUsable(pool), options);
  } catch (error) {
    if (!options.signal.aborted) throw error;
  }
}
