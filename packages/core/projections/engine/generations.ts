import { inDefinition, lockOfSchema, type Pool, statement, type Transaction } from '@milepost/postgres';
import { lockLiveGenerations } from './checkpoints.ts';
import { createView, type Projection, tableOf } from './projection.ts';

/** No other software uses this number for advisory locks in this database. */
const PREPARATION_LOCK = 724_061_502;

const INSERT_LIVE_GENERATION = statement('insert-live-generation')`
  INSERT INTO generation (projection, generation, version, live) VALUES ($1, 1, $2, true)`;

/** Keeps other processes from creating first generations until the transaction ends. */
export async function lockPreparation(transaction: Transaction): Promise<void> {
  await transaction.run(`SELECT pg_advisory_xact_lock(${lockOfSchema(PREPARATION_LOCK)})`);
}

/**
 * Creates the first generation of every projection that has no generation, with an empty read table at checkpoint 0 and
 * the view on it. Any number of processes may call this function concurrently.
 */
export async function prepareGenerations(pool: Pool, projections: readonly Projection[]): Promise<void> {
  await inDefinition(pool, lockPreparation, async (transaction) => {
    const names = projections.map((projection) => projection.name);
    const live = new Set((await lockLiveGenerations(transaction, names)).map((generation) => generation.projection));
    for (const projection of projections.filter((candidate) => !live.has(candidate.name))) {
      const table = tableOf(projection.name, 1);
      await transaction.runEach(
        `${projection.createTable(table)} ${projection.createIndexes(table)} ${createView(projection, table)}`,
      );
      await transaction.execute(INSERT_LIVE_GENERATION, [projection.name, projection.version]);
    }
  });
}
