import { inTransaction, type Pool, statement, type Transaction } from '@milepost/postgres';
import { lockLiveGenerations } from './checkpoints.ts';
import { createView, type Projection, tableOf } from './projection.ts';

/** Any number that no other software takes as an advisory lock in this database. */
const LOCK_KEY = 7_240_615_002;

const INSERT_LIVE_GENERATION = statement('insert-live-generation')`
  INSERT INTO projection.generation (projection, generation, version, live) VALUES ($1, 1, $2, true)`;

/** Lets nobody make a first generation until the transaction ends. */
export async function lockPreparation(transaction: Transaction): Promise<void> {
  await transaction.run(`SELECT pg_advisory_xact_lock(${LOCK_KEY})`);
}

/**
 * Gives every projection that has none yet its first generation: an empty read table at checkpoint 0 and the view on it.
 * Projections that have one are left alone. Any number of processes may call it at once.
 */
export async function prepareGenerations(pool: Pool, projections: readonly Projection[]): Promise<void> {
  await inTransaction(pool, async (transaction) => {
    await lockPreparation(transaction);
    const names = projections.map((projection) => projection.name);
    const live = new Set((await lockLiveGenerations(transaction, names)).map((generation) => generation.projection));
    for (const projection of projections.filter((candidate) => !live.has(candidate.name))) {
      const table = tableOf(projection.name, 1);
      await transaction.run(`${projection.createTable(table)} ${projection.createIndexes(table)}`);
      await transaction.run(createView(projection, table));
      await transaction.execute(INSERT_LIVE_GENERATION, [projection.name, projection.version]);
    }
  });
}
