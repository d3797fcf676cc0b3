import type { Statement, Transaction } from '@milepost/postgres';

export interface Head {
  /** The last position in the log. */
  position: number;
  /** Whether any driver was ever erased: only then need it be asked whom the records of a batch are about. */
  hasErasures: boolean;
  /** The transaction's time, as PostgreSQL spells it. */
  now: string;
}

const LOCK_HEAD: Statement = {
  name: 'lock-head',
  text: 'SELECT position, has_erasures AS "hasErasures", now()::text AS now FROM log.head FOR UPDATE',
};

/**
 * Locks the end of the log until the transaction ends. Must come before the revisions are read: read earlier, they would
 * miss what the previous holder of the lock has just stored.
 */
export async function lockHead(transaction: Transaction): Promise<Head> {
  const [head] = await transaction.rows<Head>(LOCK_HEAD);
  if (!head) throw new Error('The log has no head: the database was not migrated.');
  return head;
}
