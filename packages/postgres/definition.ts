import type { Pool } from 'pg';
import { createPool, poolOptions } from './pool.ts';
import { inTransaction, type Transaction } from './transaction.ts';

/** Definitions are rare. */
const IDLE_MILLISECONDS = 1_000;

/** The pools on coordinators, by the pools on the nodes. */
const coordinators = new WeakMap<Pool, Pool>();

/** Returns the pool on the coordinator of the cluster; null when the server of the pool runs definitions itself. */
function coordinatorOf(pool: Pool): Pool | null {
  const options = poolOptions(pool);
  if (!options?.part.host) return null;
  const known = coordinators.get(pool);
  if (known) return known;
  const { kind, schema, url } = options.part;
  const { limit, keptConnections, ...settings } = options;
  const part = { kind, schema, url };
  const opened = createPool({ ...settings, part, idleMilliseconds: IDLE_MILLISECONDS });
  coordinators.set(pool, opened);
  return opened;
}

/**
 * Runs `work`, which changes definitions, in one transaction. In a Citus cluster the transaction runs through the
 * coordinator, because the nodes refuse definitions. Its statements reach the rows of the owning node, but advisory locks
 * of the coordinator would not exclude the transactions on that node.
 *
 * @param lock takes the advisory locks that the work needs, on the server that has the rows
 */
export async function inDefinition<Result>(
  pool: Pool,
  lock: (transaction: Transaction) => Promise<void>,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const coordinator = coordinatorOf(pool);
  if (coordinator === null) {
    return await inTransaction(pool, async (transaction) => {
      await lock(transaction);
      return await work(transaction);
    });
  }
  const { result } = await inTransaction(pool, async (guard) => {
    await lock(guard);
    return {
      result: await inTransaction(coordinator, async (transaction) => {
        await transaction.run("SET LOCAL citus.propagate_set_commands = 'local'");
        return await work(transaction);
      }),
    };
  });
  return result;
}
