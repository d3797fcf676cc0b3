import type { Statement, Transaction } from '@milepost/postgres';

export interface OpenDeadLetter {
  id: number;
  source_id: number;
  source_offset: number;
  raw: Buffer | null;
}

/** Everybody who settles dead letters locks them in this order: in any other, two of them could wait for each other. */
const LOCK_DEAD_LETTERS: Statement = {
  name: 'lock-dead-letters',
  text: `SELECT dead_letter_id AS id, source_id, source_offset, raw FROM log.dead_letter
         WHERE dead_letter_id = ANY($1::bigint[]) AND resolution IS NULL
         ORDER BY source_id, source_offset, dead_letter_id FOR UPDATE`,
};

/** The open ones among these dead letters in the order of their sources, locked so that each is tried once at a time. */
export async function lockDeadLetters(transaction: Transaction, ids: readonly number[]): Promise<OpenDeadLetter[]> {
  return await transaction.rows<OpenDeadLetter>(LOCK_DEAD_LETTERS, [ids]);
}
