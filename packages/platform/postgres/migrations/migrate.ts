import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { escapeIdentifier, type Pool } from 'pg';
import { adaptToCluster, assertCluster, grantSequences } from '../citus/adapt.ts';
import { listMigrations, newerSchema } from '../known-migrations.ts';
import type { LoginPasswords } from '../logins.ts';
import type { Part } from '../parts.ts';
import { createPool } from '../pool.ts';
import { prepareRoles, rolesScript } from '../prepare-roles.ts';
import { ROLES } from '../roles.ts';
import { lockSchema } from '../schema-lock.ts';
import { assertServer } from '../server-check.ts';
import { statement } from '../statement.ts';
import { inSnapshot, inTransaction, type Transaction } from '../transaction.ts';

export { RolesRefusedError } from '../prepare-roles.ts';

/** This release cannot migrate the database, and nothing was changed. The message states the reason and the remedy. */
export class MigrationRefusedError extends Error {
  override name = 'MigrationRefusedError';
}

/** No other software uses this number for advisory locks in this database. */
const DATABASE_LOCK = 7_240_615_001;

const FIND_FORMER_SCHEMA = statement('find-former-schema', { database: 'text' })`
  SELECT current_database()::text AS database FROM pg_class
  WHERE oid = to_regclass('migration')
    AND NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'content_hash')`;

/**
 * Until release 0.1.0, the log and the read tables each had their own schema, and the list of migrations was in the
 * schema `milepost`.
 */
async function refuseFormerSchema(transaction: Transaction): Promise<void> {
  const [former] = await transaction.rows(FIND_FORMER_SCHEMA);
  if (!former) return;
  throw new MigrationRefusedError(
    `Database ${former.database} has the schema of Milepost 0.1.0, which this release does not migrate: write its log to a file with that release's \`milepost archive export\`, and read the file into a new database with this release's \`milepost ingest\`.`,
  );
}

/**
 * Creates the roles, logins and privileges on the server and the database, and the schema with its list of migrations.
 */
async function prepareSchema(
  transaction: Transaction,
  { schema, url, host }: Part,
  passwords: LoginPasswords,
): Promise<void> {
  // This lock covers all schemas, because otherwise two migrators could update the same row of a catalog, and one of
  // them would fail.
  await transaction.run(`SELECT pg_advisory_xact_lock(${DATABASE_LOCK})`);
  await refuseFormerSchema(transaction);
  await prepareRoles(transaction, passwords, url);
  // Citus distributes the schemas created while this setting is on. PostgreSQL without Citus ignores the setting.
  await transaction.run(`SET LOCAL citus.enable_schema_based_sharding = ${host ? 'on' : 'off'}`);
  await transaction.run(`CREATE SCHEMA IF NOT EXISTS ${escapeIdentifier(schema)}`);
  await transaction.run(`CREATE TABLE IF NOT EXISTS migration (
    number integer NOT NULL, name text NOT NULL, breaking boolean NOT NULL, content_hash text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(), CONSTRAINT migration_pkey PRIMARY KEY (number))`);
}

const LIST_APPLIED = statement('applied-migrations', {
  number: 'number',
  name: 'text',
  breaking: 'boolean',
  content_hash: 'text',
})`
  SELECT number, name, breaking, content_hash FROM migration ORDER BY number`;

const RECORD = statement('record-migration')`
  INSERT INTO migration (number, name, breaking, content_hash) VALUES ($1, $2, $3, $4)`;

async function applyMigrations(transaction: Transaction, { kind, schema, host }: Part): Promise<void> {
  await transaction.run(lockSchema('migration'));
  const migrations = new Map(
    listMigrations(kind).map((file) => {
      const sql = readFileSync(file.path, 'utf8');
      return [file.number, { ...file, sql, contentHash: hash('sha256', sql) }];
    }),
  );
  for (const applied of await transaction.rows(LIST_APPLIED)) {
    const own = migrations.get(applied.number);
    migrations.delete(applied.number);
    if (!own && applied.breaking) throw new MigrationRefusedError(newerSchema(schema, applied));
    if (own && own.contentHash !== applied.content_hash) {
      throw new MigrationRefusedError(
        `Migration ${applied.number} (${applied.name}) was applied to schema ${schema} with different content: restore its file, and put the change into a new migration.`,
      );
    }
  }
  for (const { number, name, breaking, sql, contentHash } of migrations.values()) {
    await transaction.runEach(sql);
    await transaction.execute(RECORD, [number, name, breaking, contentHash]);
  }
  if (host) await adaptToCluster(transaction, schema);
  if (kind === 'lane') await grantMaintenance(transaction);
}

const LIST_NOT_MAINTAINED = statement('tables-that-the-projector-cannot-vacuum', { names: 'text?' })`
  SELECT string_agg(quote_ident(relname), ', ') AS names FROM pg_class
  WHERE relnamespace = current_schema()::text::regnamespace AND relkind = 'r'
    AND CASE WHEN current_setting('server_version_num')::integer >= 170000
      THEN NOT has_table_privilege('${ROLES.projector}', pg_class.oid, 'MAINTAIN') ELSE false END`;

/**
 * Allows the projector's role to vacuum all tables after an erasure, except on PostgreSQL 16, which has no such
 * privilege. A migration runs only once, but the server may be upgraded later, so this is not a migration.
 */
async function grantMaintenance(transaction: Transaction): Promise<void> {
  const { names } = await transaction.row(LIST_NOT_MAINTAINED);
  if (names !== null) await transaction.run(`GRANT MAINTAIN ON ${names} TO ${ROLES.projector}`);
}

/** Runs `work` on the server in the URL, which runs all DDL, even if the rows are on another server. */
async function onServer<Result>({ kind, schema, url }: Part, work: (pool: Pool) => Promise<Result>): Promise<Result> {
  const settings = { applicationName: 'milepost-migrate', connections: 1, statementTimeoutMilliseconds: 0 };
  const pool = createPool({ ...settings, part: { kind, schema, url } });
  try {
    await assertServer(pool);
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/**
 * Migrates a part to this program's schema. All numbered SQL files that have not been applied run in one transaction. A
 * lock on the schema allows any number of concurrent migrators.
 *
 * @param part its URL contains a user that owns the database and may create roles
 * @param passwords the logins to create or change on the server
 * @throws RolesRefusedError when the user may not create or change the missing roles
 * @throws MigrationRefusedError when the database has the schema of release 0.1.0, when a newer release made a breaking
 *   change to the schema, or when an applied migration was edited
 * @throws DatabaseUnusableError when this release does not support the server's version or encoding
 */
export async function migrate(part: Part, passwords: LoginPasswords = {}): Promise<void> {
  await onServer(part, async (pool) => {
    await assertCluster(pool);
    await inTransaction(pool, (transaction) => prepareSchema(transaction, part, passwords));
    await inTransaction(pool, (transaction) => applyMigrations(transaction, part));
    if (part.host) await grantSequences(pool, part.schema);
  });
}

/** Returns the SQL with which an administrator creates and changes a database's roles; null when nothing is missing. */
export async function printRoles(part: Part, passwords: LoginPasswords): Promise<string | null> {
  return await onServer(part, (pool) => inSnapshot(pool, (transaction) => rolesScript(transaction, passwords)));
}
