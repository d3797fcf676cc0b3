import type { Statement, Transaction } from '@milepost/postgres';

export interface OpenDeadLetter {
  source_id: number;
  source_offset: number;
  raw: Buffer | null;
}

const LOCK_DEAD_LETTER: Statement = {
  name: 'lock-dead-letter',
  text: `SELECT source_id, source_offset, raw FROM log.dead_letter
         WHERE dead_letter_id = $1 AND resolution IS NULL FOR UPDATE`,
};

/** An open dead letter, locked so that it is tried once at a time; null when it is not open. */
export async function lockDeadLetter(transaction: Transaction, id: number): Promise<OpenDeadLetter | null> {
  const [letter] = await transaction.rows<OpenDeadLetter>(LOCK_DEAD_LETTER, [id]);
  return letter ?? null;
}

/** The source's counts move with it, so that they go on adding up. */
const RESOLVE_DEAD_LETTER: Statement = {
  name: 'resolve-dead-letter',
  text: `WITH resolved AS (
           UPDATE log.dead_letter SET resolution = $3, resolved_at = now() WHERE dead_letter_id = $1)
         UPDATE log.source SET records_dead_letter = records_dead_letter - 1,
           records_stored = records_stored + CASE WHEN $3 = 'retried' THEN 1 ELSE 0 END,
           records_duplicate = records_duplicate + CASE WHEN $3 = 'duplicate' THEN 1 ELSE 0 END
         WHERE source_id = $2`,
};

/** Marks a dead letter as settled by storing its record, or by finding it stored. */
export async function resolveDeadLetter(
  transaction: Transaction,
  id: number,
  sourceId: number,
  resolution: 'retried' | 'duplicate',
): Promise<void> {
  await transaction.execute(RESOLVE_DEAD_LETTER, [id, sourceId, resolution]);
}
