import { type Pool, queryRow, type RowOf, statement, Transaction } from '@milepost/postgres';

const LOCK_HEAD = statement('lock-head', {
  /** The last position in the log. */
  position: 'number',
  /** Whether any driver has ever been erased. If false, appends need not look for erased drivers. */
  hasErasures: 'boolean',
  /** Whether any fleet has a fence in this log. If false, appends need not read the fences. */
  hasFences: 'boolean',
  /** The transaction's time in PostgreSQL's text format. */
  now: 'text',
})`SELECT position, has_erasures AS "hasErasures", has_fences AS "hasFences", now()::text AS now FROM log_head FOR UPDATE`;

/**
 * Locks the head of the log until the transaction ends. Read revisions only afterwards, because an earlier read would
 * miss what the previous holder of the lock has just stored.
 */
export async function lockHead(transaction: Transaction): Promise<RowOf<typeof LOCK_HEAD>> {
  return await transaction.row(LOCK_HEAD);
}

/** The suffix of the NOTIFY channel on which projectors listen for a schema's new stored events. */
const CHANNEL_SUFFIX = '_log';

/** Returns the NOTIFY channel of a schema, as an identifier that does not need quotes. */
export function logChannelOf(schema: string): string {
  return `${schema}${CHANNEL_SUFFIX}`;
}

const ADVANCE_HEAD = statement('advance-head')`
  WITH advanced AS (UPDATE log_head SET position = $1 RETURNING position)
  SELECT FROM advanced, pg_notify(current_schema() || '${CHANNEL_SUFFIX}', '')`;

/** Moves the head of the log, which the transaction must have locked. The commit notifies the projectors. */
export async function advanceHead(transaction: Transaction, position: number): Promise<void> {
  await transaction.execute(ADVANCE_HEAD, [position]);
}

const READ_HEAD = statement('read-head', { position: 'number' })`SELECT position FROM log_head`;

/** Returns the log's last committed position or, in a transaction, the last position in its snapshot. */
export async function readHeadPosition(connection: Pool | Transaction): Promise<number> {
  const { position } = await (connection instanceof Transaction
    ? connection.row(READ_HEAD)
    : queryRow(connection, READ_HEAD));
  return position;
}
