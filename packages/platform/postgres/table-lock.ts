import type { Pool, PoolClient } from 'pg';
import { query, queryRow, statement } from './statement.ts';

/** The lock belongs to a table and so to a schema. PostgreSQL releases it even if the session is killed. */
const TRY_LOCK = statement('try-table-lock', { locked: 'boolean' })`
  SELECT pg_try_advisory_lock($1::text::regclass::oid::bigint) AS locked`;

const UNLOCK = statement('table-unlock', { unlocked: 'boolean' })`
  SELECT pg_advisory_unlock_all() IS NOT NULL AS unlocked`;

/**
 * Runs `work` while its connection holds the advisory lock on a table in the connection's schema. The lock is released
 * by the time the promise resolves, unless the connection was lost.
 *
 * @returns null, without running `work`, when another session holds the lock
 */
export async function withTableLock<Result>(
  pool: Pool,
  table: string,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result | null> {
  const client = await pool.connect();
  try {
    const { locked } = await queryRow(client, TRY_LOCK, [table]);
    return locked ? await work(client) : null;
  } finally {
    await query(client, UNLOCK).then(
      () => client.release(),
      () => client.release(true),
    );
  }
}
