import type { Pool } from '@milepost/postgres';
import { vi } from 'vitest';

/** Even on a busy machine, a session that is not waiting after this time has failed. */
const PATIENT = { timeout: 120_000, interval: 5 };

/**
 * Waits until `count` sessions are waiting for another session's lock, and resolves with their process ids. A session
 * that waits for autovacuum, for example to create an index, does not count. If too few sessions are waiting after a
 * long time, rejects with a list of the database's sessions.
 */
export async function lockWaiters(owner: Pool, count: number): Promise<number[]> {
  const waiting = async () => {
    const { rows } = await owner.query<{ pid: number; is_waiting: boolean }>(
      `SELECT pid, application_name, usename, state, wait_event, left(query, 200) AS query,
         wait_event_type = 'Lock' AND NOT EXISTS (
           SELECT FROM pg_stat_activity AS holder
           WHERE holder.pid = ANY (pg_blocking_pids(pg_stat_activity.pid)) AND holder.backend_type = 'autovacuum worker'
         ) AS is_waiting
       FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'`,
    );
    const pids = rows.filter((row) => row.is_waiting).map((row) => row.pid);
    if (pids.length >= count) return pids;
    throw new Error(`${pids.length} of ${count} sessions wait for a lock: ${JSON.stringify(rows)}`);
  };
  return await vi.waitFor(waiting, PATIENT);
}

/** Ends the session that waits for another session's lock. */
export async function endLockWaiter(owner: Pool): Promise<void> {
  const [waiter] = await lockWaiters(owner, 1);
  await owner.query('SELECT pg_terminate_backend($1, 10000)', [waiter]);
}

/**
 * Runs `work` while a transaction holds the locks taken by `sql`. Commits that transaction when `until` resolves or, if
 * it is a number, when so many sessions wait for a lock.
 */
export async function whileLocked<Result>(
  owner: Pool,
  sql: string,
  until: number | (() => Promise<unknown>),
  work: () => Promise<Result>,
): Promise<Result> {
  const holder = await owner.connect();
  try {
    // On a busy machine, the server would end the idle transaction, and the locks with it, before `until` resolves.
    await holder.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
    await holder.query(sql);
    const working = work();
    // If the work fails early, it never waits for the locks, so `until` might never resolve.
    const reached = typeof until === 'number' ? lockWaiters(owner, until) : until();
    await Promise.race([reached, new Promise((_, reject) => void working.catch(reject))]);
    await holder.query('COMMIT');
    return await working;
  } finally {
    holder.release(true);
  }
}
