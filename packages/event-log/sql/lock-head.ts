import type { Statement, Transaction } from '@milepost/postgres';

const LOCK_HEAD: Statement = {
  name: 'lock-head',
  text: 'SELECT position FROM log.head FOR UPDATE',
};

/**
 * Locks the end of the log until the transaction ends and returns the last position. Must come before the revisions are
 * read: read earlier, they would miss what the previous holder of the lock has just stored.
 */
export async function lockHead(transaction: Transaction): Promise<number> {
  const [head] = await transaction.rows<{ position: number }>(LOCK_HEAD);
  if (!head) throw new Error('The log has no head: the database was not migrated.');
  return head.position;
}
