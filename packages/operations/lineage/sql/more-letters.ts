import type { Statement, Transaction } from '@milepost/postgres';

const MORE_LETTERS: Statement = {
  name: 'lineage-more-letters',
  text: 'SELECT EXISTS (SELECT FROM log.dead_letter OFFSET $1) AS more',
};

/** Whether there are more dead letters than `count`. */
export async function hasMoreLetters(transaction: Transaction, count: number): Promise<boolean> {
  const [row] = await transaction.rows<{ more: boolean }>(MORE_LETTERS, [count]);
  return row?.more ?? false;
}
