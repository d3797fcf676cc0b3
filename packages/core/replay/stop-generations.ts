import { statement, type Transaction } from '@milepost/postgres';
import { lockPreparation } from '@milepost/projections/engine';
import { stopBuilding } from './building.ts';
import { lockRequests } from './requests.ts';

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
  await lockRequests(transaction);
  await lockPreparation(transaction);
  // Wait for running builds before locking the generations, because these locks stop the projector, and an index build
  // may take a long time.
  await stopBuilding(transaction);
  await transaction.execute(LOCK_ALL);
}
