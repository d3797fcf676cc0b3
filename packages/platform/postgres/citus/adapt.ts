import type { Pool } from 'pg';
import { ROLES } from '../roles.ts';
import { DatabaseUnusableError } from '../server-check.ts';
import { queryRow, statement, unprepared } from '../statement.ts';
import type { Transaction } from '../transaction.ts';

/** The version of Citus that the tests use. */
const TRIED = '14.0';

const READ_CITUS = statement('read-citus-version', { version: 'text?' })`
  SELECT (SELECT split_part(extversion, '-', 1) FROM pg_extension WHERE extname = 'citus') AS version`;

/**
 * Throws DatabaseUnusableError when the version of Citus is untested, or when the server is not its cluster's
 * coordinator.
 */
export async function assertCluster(pool: Pool): Promise<void> {
  const { version } = await queryRow(pool, READ_CITUS);
  if (version === null) return;
  if (version !== TRIED) {
    throw new DatabaseUnusableError(
      `The database has Citus ${version}, with which Milepost has not been tested: use Citus ${TRIED}.`,
    );
  }
  const [group] = await unprepared(pool, { groupid: 'number!' }, 'SELECT groupid FROM pg_dist_local_group');
  if (group?.groupid !== 0) {
    throw new DatabaseUnusableError(
      'DATABASE_URL names a worker of a Citus cluster, which cannot create lanes: name the coordinator.',
    );
  }
}

const LIST_NARROW = statement('narrow-source-ids', { table_name: 'text' })`
  SELECT attrelid::regclass::text AS table_name FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
  WHERE relnamespace = current_schema()::text::regnamespace AND relkind = 'r' AND attname = 'source_id'
    AND atttypid = 'integer'::regtype ORDER BY 1`;

const LIST_INSERT_GRANTS = statement('column-grants-of-inserts', { table_name: 'text', role: 'text' })`
  SELECT DISTINCT relname::text AS table_name, grantee::regrole::text AS role
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid, aclexplode(attacl)
  WHERE relnamespace = current_schema()::text::regnamespace AND privilege_type = 'INSERT' ORDER BY 1, 2`;

/** Replaces the function from the migration, because a body with RETURN does not run on a distributed table. */
const DRIVER_HASH = `CREATE OR REPLACE FUNCTION driver_hash(fleet_id text, driver_id text) RETURNS bytea
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT SET citus.allow_nested_distributed_execution = on
  AS $$ SELECT sha256(value || convert_to($1 || '/' || $2, 'UTF8')) FROM erasure_pepper $$`;

/**
 * Adapts the tables of a distributed schema to three properties of Citus. The values of an identity column begin with
 * the node's number. A query on a view reads the tables with the privileges of the current user instead of the view's
 * owner. An INSERT lists all columns that have a default.
 */
export async function adaptToCluster(transaction: Transaction, schema: string): Promise<void> {
  for (const { table_name } of await transaction.rows(LIST_NARROW)) {
    await transaction.run(`ALTER TABLE ${table_name} ALTER COLUMN source_id TYPE bigint`);
  }
  for (const { table_name, role } of await transaction.rows(LIST_INSERT_GRANTS)) {
    await transaction.run(`GRANT INSERT ON ${table_name} TO ${role}`);
  }
  await transaction.run(DRIVER_HASH);
  await transaction.run(`GRANT SELECT ON stored_event, trip_body, generation TO ${ROLES.api}`);
  await transaction.run(
    `ALTER DEFAULT PRIVILEGES FOR ROLE ${ROLES.projector} IN SCHEMA ${schema} GRANT SELECT ON TABLES TO ${ROLES.api}`,
  );
}

const WRITERS = [ROLES.ingest, ROLES.projector, ROLES.operator, ROLES.eraser].join(', ');

/**
 * Grants privileges on the sequences in a distributed schema on all nodes. Citus does not grant privileges on the
 * sequences of identity columns, although an INSERT with Citus needs them.
 */
export async function grantSequences(pool: Pool, schema: string): Promise<void> {
  const outcomes = await unprepared(
    pool,
    { nodename: 'text!', nodeport: 'number!', success: 'boolean!', result: 'text!' },
    `SELECT nodename, nodeport, success, result FROM run_command_on_all_nodes($1)
     JOIN pg_dist_node USING (nodeid)`,
    [`GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${WRITERS}`],
  );
  const failed = outcomes.find(({ success }) => !success);
  if (failed) {
    throw new DatabaseUnusableError(
      `Node ${failed.nodename}:${failed.nodeport} of the Citus cluster cannot be prepared: ${failed.result}.`,
    );
  }
}
