import { boolean, number, type Pool, query, type RowOf, statement, type Transaction, text } from '@milepost/postgres';

const LOCK_HEAD = statement('lock-head', {
  /** The last position in the log. */
  position: number,
  /** Whether any driver was ever erased: only then need it be asked whom the records of a batch are about. */
  hasErasures: boolean,
  /** The transaction's time, as PostgreSQL spells it. */
  now: text,
})`SELECT position, has_erasures AS "hasErasures", now()::text AS now FROM log.head FOR UPDATE`;

/**
 * Locks the end of the log until the transaction ends. Must come before the revisions are read: read earlier, they would
 * miss what the previous holder of the lock has just stored.
 */
export async function lockHead(transaction: Transaction): Promise<RowOf<typeof LOCK_HEAD>> {
  const [head] = await transaction.rows(LOCK_HEAD);
  if (!head) throw new Error('The log has no head: the database was not migrated.');
  return head;
}

/** The channel on which projectors hear of new stored events. */
export const LOG_CHANNEL = 'milepost_log';

const ADVANCE_HEAD = statement('advance-head')`
  WITH advanced AS (UPDATE log.head SET position = $1 RETURNING position)
  SELECT FROM advanced, pg_notify('${LOG_CHANNEL}', '')`;

/** Moves the end of the log, which the transaction holds locked, and wakes the projectors once it commits. */
export async function advanceHead(transaction: Transaction, position: number): Promise<void> {
  await transaction.execute(ADVANCE_HEAD, [position]);
}

const READ_HEAD = statement('read-head', { position: number })`SELECT position FROM log.head`;

/** The last committed position of the log. */
export async function readHeadPosition(pool: Pool): Promise<number> {
  const [head] = await query(pool, READ_HEAD);
  if (!head) throw new Error('The log has no head: the database was not migrated.');
  return head.position;
}
