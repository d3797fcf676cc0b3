import { statement, type Transaction } from '@milepost/postgres';
import { lockSchema } from '@milepost/postgres/schema-lock';

/**
 * SQL that starts each transaction that builds a generation from the log. These transactions run concurrently. A
 * transaction that changes the log waits until they end, and later builds wait until that transaction ends. The lock is
 * an advisory lock, whose queue is fair. A row lock shared by many transactions might never become free.
 */
export const BEGIN_BUILDING = lockSchema('building', 'shared');

/** Locks generations in the same order as all other code (see the engine's checkpoints.ts). */
const LOCK_ALL = statement('lock-all-generations')`
  SELECT FROM generation WHERE dropped_at IS NULL ORDER BY projection, generation FOR UPDATE`;

/**
 * Locks every generation until the transaction ends, so that projectors, catch-ups and replay chunks cannot run. Also
 * keeps new generations from being created, because their chunks would read the log as it was before this transaction.
 *
 * @param transaction a transaction that acts as the projector role
 */
export async function stopGenerations(transaction: Transaction): Promise<void> {
  await transaction.run(lockSchema('request'));
  await transaction.run(lockSchema('preparation'));
  // Wait for running builds before locking the generations, because these locks stop the projector, and an index build
  // may take a long time.
  await transaction.run(lockSchema('building'));
  await transaction.execute(LOCK_ALL);
}
