import type { Statement, Transaction } from '@milepost/postgres';

/** The channel on which projectors hear of new stored events. */
export const LOG_CHANNEL = 'milepost_log';

const ADVANCE_HEAD: Statement = {
  name: 'advance-head',
  text: `WITH advanced AS (UPDATE log.head SET position = $1 RETURNING position)
         SELECT pg_notify('${LOG_CHANNEL}', '') FROM advanced`,
};

/** Moves the end of the log, which the transaction holds locked, and wakes the projectors once it commits. */
export async function advanceHead(transaction: Transaction, position: number): Promise<void> {
  await transaction.execute(ADVANCE_HEAD, [position]);
}
