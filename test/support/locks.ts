import type { Pool } from '@milepost/postgres';

/**
 * Waits until `count` sessions wait for a lock of another session and resolves with their process ids. A session that
 * waits for autovacuum, for example to create an index, does not count.
 */
export async function lockWaiters(owner: Pool, count: number): Promise<number[]> {
  for (;;) {
    const { rows } = await owner.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND backend_type = 'client backend'
         AND NOT EXISTS (
           SELECT FROM pg_stat_activity AS holder
           WHERE holder.pid = ANY (pg_blocking_pids(pg_stat_activity.pid)) AND holder.backend_type = 'autovacuum worker'
         )`,
    );
    if (rows.length >= count) return rows.map((row) => row.pid);
  }
}

/** Runs `work` while a transaction holds the locks that `sql` takes. Commits that transaction when `until` resolves. */
export async function whileLocked<Result>(
  owner: Pool,
  sql: string,
  until: () => Promise<unknown>,
  work: () => Promise<Result>,
): Promise<Result> {
  const holder = await owner.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(sql);
    const working = work();
    // The promise is awaited below. Until then, its rejection must not count as unhandled.
    working.catch(() => {});
    await until();
    await holder.query('COMMIT');
    return await working;
  } finally {
    holder.release(true);
  }
}
