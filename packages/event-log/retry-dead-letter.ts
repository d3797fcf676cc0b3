import { inTransaction, type Pool } from '@milepost/postgres';
import type { PreparedRecord } from './prepare.ts';
import { lockDeadLetter, resolveDeadLetter } from './sql/resolve-dead-letter.ts';
import { storeRecords } from './store-records.ts';

/** What became of a dead letter that was tried again. `message` says why it was refused. */
export interface RetriedDeadLetter {
  id: number;
  outcome: 'stored' | 'duplicate' | 'refused' | 'not_open';
  message: string | null;
}

/**
 * Tries a dead letter again, in its own source and under its own offset. When it can be stored now (or its content is
 * stored already) it is marked as resolved in the same transaction; otherwise it stays as it is. Its bytes are never removed.
 *
 * @param prepare checks and encodes the raw bytes with today's rules
 */
export async function retryDeadLetter(
  pool: Pool,
  id: number,
  prepare: (raw: Uint8Array | null) => PreparedRecord,
): Promise<RetriedDeadLetter> {
  return await inTransaction(pool, async (transaction) => {
    const letter = await lockDeadLetter(transaction, id);
    if (!letter) return { id, outcome: 'not_open', message: `There is no open dead letter ${id}.` };
    const prepared = prepare(letter.raw);
    if (!prepared.storable) return { id, outcome: 'refused', message: prepared.refusal.message };
    const { outcome } = await storeRecords(transaction, letter.source_id, [
      { offset: letter.source_offset, raw: letter.raw, prepared },
    ]);
    const [refused] = outcome.deadLetters;
    if (refused) return { id, outcome: 'refused', message: refused.refusal.message };
    const stored = outcome.placed.length > 0;
    await resolveDeadLetter(transaction, id, letter.source_id, stored ? 'retried' : 'duplicate');
    return { id, outcome: stored ? 'stored' : 'duplicate', message: null };
  });
}
