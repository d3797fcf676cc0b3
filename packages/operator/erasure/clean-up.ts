import { type Connections, execute, type Pool, query, queryRow, statement, unprepared } from '@milepost/postgres';
import { withTableLock } from '@milepost/postgres/table-lock';

/** Requests the removal of old row versions, in the transaction that redacts the rows. */
export const REQUEST_CLEANUP = statement('request-cleanup')`INSERT INTO cleanup (fleet_id) VALUES ($1)`;

/** VACUUM is repeated, because it may skip a page that another session is using. */
const MAX_PASSES = 3;

const FIND_OPEN = statement('find-open-cleanup', { id: 'number' })`
  SELECT cleanup_id AS id FROM cleanup WHERE cleaned_at IS NULL ORDER BY id DESC LIMIT 1`;

/**
 * The transactions of this database's other sessions, and prepared transactions. Every snapshot belongs to one of these
 * transactions. Any role can list transactions, but not snapshots.
 */
const READ_RUNNING = statement('running-transactions', { running: 'text[]' })`
  SELECT array (
    SELECT DISTINCT virtualtransaction FROM pg_locks
    WHERE locktype IN ('virtualxid', 'transactionid') AND mode = 'ExclusiveLock' AND granted
      AND (pid IS NULL OR pid IN (
        SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()))) AS running`;

const NOTE_RUNNING = statement('note-transactions-of-cleanups')`
  UPDATE cleanup SET waits_for = $1 WHERE cleaned_at IS NULL AND waits_for IS NULL AND cleanup_id <= $2`;

const MARK_READY = statement('mark-cleanups-ready')`
  UPDATE cleanup SET ready_at = now() WHERE cleaned_at IS NULL AND ready_at IS NULL AND NOT waits_for && $1`;

const FIND_READY = statement('find-ready-cleanups', { last: 'number?', ready_at: 'text?' })`
  SELECT max(cleanup_id) AS last, max(ready_at)::text AS ready_at FROM cleanup
  WHERE cleaned_at IS NULL AND ready_at IS NOT NULL`;

/**
 * The tables that no VACUUM has processed since a given time. Autovacuum does not count, because it may leave index
 * entries behind. Before PostgreSQL 17, only the owner may vacuum a table.
 */
const LIST_TABLES = statement('tables-to-clean', { name: 'text', allowed: 'boolean' })`
  SELECT quote_ident(relname) AS name, pg_has_role(relowner, 'USAGE')
    OR (SELECT pg_has_role(datdba, 'USAGE') FROM pg_database WHERE datname = current_database())
    OR CASE WHEN current_setting('server_version_num')::integer >= 170000
      THEN has_table_privilege(pg_class.oid, 'MAINTAIN') ELSE false END AS allowed
  FROM pg_class
  WHERE relnamespace = current_schema()::text::regnamespace AND relkind = 'r'
    AND coalesce(pg_stat_get_last_vacuum_time(pg_class.oid) < $1::timestamptz, true)
  ORDER BY name`;

const COUNT_DEAD = statement('dead-rows', { dead: 'number?' })`
  SELECT pg_stat_get_dead_tuples(to_regclass($1)) AS dead`;

const END_CLEANUPS = statement('end-cleanups')`
  UPDATE cleanup SET fault = $2, cleaned_at = CASE WHEN $2::text IS NULL THEN now() END
  WHERE cleaned_at IS NULL AND cleanup_id <= $1 AND ready_at <= $3::timestamptz
    AND ($2::text IS NULL OR fault IS DISTINCT FROM $2::text)`;

/**
 * Without INDEX_CLEANUP, VACUUM leaves a few index entries behind, which may contain ids. ANALYZE replaces the
 * statistics, which contain common values. Without a table, the statement covers all lanes in the database.
 */
const VACUUM = 'VACUUM (INDEX_CLEANUP ON, ANALYZE)';

/** Vacuums a table. A table that has been dropped in the meantime is skipped. */
async function vacuum(client: Connections, name: string): Promise<void> {
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    if ((await queryRow(client, COUNT_DEAD, [name])).dead === null) return;
    await unprepared(client, {}, `${VACUUM} ${name}`);
    if (!(await queryRow(client, COUNT_DEAD, [name])).dead) return;
  }
}

/**
 * Removes any old versions of redacted rows from this lane's files. If transactions can still read these versions, does
 * not wait for them, because the next call tries again. Returns the reason if old versions remain although no
 * transaction can read them, and otherwise null.
 *
 * @param pool connections made as the projector role, without a statement timeout
 */
export async function cleanUp(pool: Pool): Promise<string | null> {
  const [open] = await query(pool, FIND_OPEN);
  if (!open) return null;
  // Only one worker vacuums at a time.
  return await withTableLock(pool, 'cleanup', async (client) => {
    // The erasures up to `open` have been committed, so later transactions cannot see the old row versions.
    const { running } = await queryRow(client, READ_RUNNING);
    await execute(client, NOTE_RUNNING, [running, open.id]);
    await execute(client, MARK_READY, [running]);
    const { last, ready_at } = await queryRow(client, FIND_READY);
    if (last === null || ready_at === null) return null;
    for (const { name, allowed } of await query(client, LIST_TABLES, [ready_at])) {
      if (allowed) await vacuum(client, name);
    }
    const left = (await query(client, LIST_TABLES, [ready_at])).filter(({ allowed }) => !allowed);
    const fault =
      left.length === 0
        ? null
        : `This login is not allowed to vacuum ${left.map(({ name }) => name).join(', ')}: ask the owner of the database to run \`${VACUUM}\`.`;
    const changed = await execute(client, END_CLEANUPS, [last, fault, ready_at]);
    return changed > 0 ? fault : null;
  });
}
