import type { Pool } from 'pg';
import { createPool, PartPool } from '../pool.ts';
import { inTransaction, type Transaction } from '../transaction.ts';

/** The time is short because definitions rarely change. */
const IDLE_MILLISECONDS = 1_000;
/**
 * While `work` runs, the guard sends a statement at this interval. Otherwise, the server would end the guard's session
 * after a minute of idling in its transaction, and an index build may take longer.
 */
const KEEP_MILLISECONDS = 1_000;

/** Maps each pool on a node to the pool on the coordinator. */
const coordinators = new WeakMap<Pool, Pool>();

/** Returns the pool on the cluster's coordinator; null when the pool's server runs definitions itself. */
function coordinatorOf(pool: Pool): Pool | null {
  if (!(pool instanceof PartPool && pool.part.host)) return null;
  const known = coordinators.get(pool);
  if (known) return known;
  const { kind, schema, url } = pool.part;
  const part = { kind, schema, url };
  const opened = createPool({ ...pool.servers.options, part, idleMilliseconds: IDLE_MILLISECONDS });
  coordinators.set(pool, opened);
  return opened;
}

/**
 * Runs `work`, which changes definitions, in one transaction. In a Citus cluster, the transaction runs through the
 * coordinator, because the nodes reject definitions. The transaction's statements reach the rows on the owning node,
 * but advisory locks on the coordinator would not block transactions on that node.
 *
 * @param lock SQL that takes the advisory lock that the work needs, on the server that has the rows; null for none
 */
export async function inDefinition<Result>(
  pool: Pool,
  lock: string | null,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const coordinator = coordinatorOf(pool);
  return await inTransaction(pool, async (guard) => {
    if (lock !== null) await guard.run(lock);
    return coordinator === null ? await work(guard) : await workUnder(guard, coordinator, work);
  });
}

/** Runs `work` in a transaction on the coordinator, and fails if `guard` loses its locks before the commit. */
async function workUnder<Result>(
  guard: Transaction,
  coordinator: Pool,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  let lost: unknown = null;
  const keep = async () =>
    await guard.run('SELECT 1').catch((error: unknown) => {
      lost ??= error;
    });
  const keeping = setInterval(keep, KEEP_MILLISECONDS);
  try {
    return await inTransaction(coordinator, async (transaction) => {
      await transaction.run("SET LOCAL citus.propagate_set_commands = 'local'");
      const result = await work(transaction);
      if (transaction.isCommitted) return result;
      await keep();
      if (lost !== null) throw lost;
      return result;
    });
  } finally {
    clearInterval(keeping);
  }
}
