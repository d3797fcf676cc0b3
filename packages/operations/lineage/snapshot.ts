import { inTransaction, type Pool, type Transaction } from '@milepost/postgres';

/** Runs reading work on one snapshot of the database: otherwise a chain could end before what superseded its last link. */
export async function onSnapshot<Result>(
  pool: Pool,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return await inTransaction(pool, async (transaction) => {
    await transaction.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return await work(transaction);
  });
}
