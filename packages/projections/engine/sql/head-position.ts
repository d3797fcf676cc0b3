import type { Statement, Transaction } from '@milepost/postgres';

const HEAD_POSITION: Statement = { name: 'head-position', text: 'SELECT position FROM log.head' };

/** The last committed position of the log. */
export async function headPosition(transaction: Transaction): Promise<number> {
  const [head] = await transaction.rows<{ position: number }>(HEAD_POSITION);
  if (!head) throw new Error('The log has no head: the database was not migrated.');
  return head.position;
}
