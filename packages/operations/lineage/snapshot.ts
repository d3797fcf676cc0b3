import { inTransaction, type Pool, type Statement, type Transaction } from '@milepost/postgres';

/** Most stored events that a trace shows; no trip or day of sound data comes near. */
export const LIMIT_EVENTS = 5_000;

/** Most duplicates that a trace shows. */
export const LIMIT_DUPLICATES = 1_000;

const ANSWER_POSITION: Statement = {
  name: 'lineage-answer-position',
  text: 'SELECT coalesce(min(checkpoint), 0) AS position FROM projection.generation WHERE live',
};

/**
 * Runs reading work on one snapshot of the database: otherwise a chain could end before what superseded its last link.
 *
 * @param work gets the position that answers show: what is stored after it shows in none of them yet
 */
export async function onSnapshot<Result>(
  pool: Pool,
  work: (transaction: Transaction, answerPosition: number) => Promise<Result>,
): Promise<Result> {
  return await inTransaction(pool, async (transaction) => {
    await transaction.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const [row] = await transaction.rows<{ position: number }>(ANSWER_POSITION);
    return await work(transaction, row?.position ?? 0);
  });
}
