import { inTransaction, type Pool, type Transaction } from '@milepost/postgres';
import type { PreparedRecord, SourceRecord } from './prepare.ts';
import { lockDeadLetters, type OpenDeadLetter } from './sql/lock-dead-letters.ts';
import { type Resolution, resolveDeadLetters } from './sql/resolve-dead-letters.ts';
import { storeRecords } from './store-records.ts';

/** What became of a dead letter that was tried again. `message` says why it was refused. */
export interface RetriedDeadLetter {
  id: number;
  outcome: 'stored' | 'duplicate' | 'refused' | 'not_open';
  message: string | null;
}

interface PreparedLetter extends OpenDeadLetter {
  prepared: PreparedRecord;
}

/** Stores what it can of one source's letters, in the order of their offsets. */
async function retryOfSource(
  transaction: Transaction,
  sourceId: number,
  letters: readonly PreparedLetter[],
): Promise<RetriedDeadLetter[]> {
  const refusals = new Map<number, string>();
  const storable: SourceRecord[] = [];
  for (const { source_offset: offset, raw, prepared } of letters) {
    if (prepared.storable) storable.push({ sourceId, offset, raw, prepared });
    else refusals.set(offset, prepared.refusal.message);
  }
  const duplicates = new Set<number>();
  if (storable.length > 0) {
    const { outcome } = await storeRecords(transaction, storable);
    for (const { sourceOffset, refusal } of outcome.deadLetters) refusals.set(sourceOffset, refusal.message);
    for (const { sourceOffset } of outcome.duplicates) duplicates.add(sourceOffset);
  }
  return letters.map(({ id, source_offset }) => {
    const message = refusals.get(source_offset);
    if (message !== undefined) return { id, outcome: 'refused', message };
    return { id, outcome: duplicates.has(source_offset) ? 'duplicate' : 'stored', message: null };
  });
}

function resolutionsOf(results: readonly RetriedDeadLetter[]): Resolution[] {
  return results.flatMap(({ id, outcome }): Resolution[] => {
    if (outcome === 'stored') return [{ id, resolution: 'retried' }];
    return outcome === 'duplicate' ? [{ id, resolution: 'duplicate' }] : [];
  });
}

/**
 * Tries a batch of dead letters again in one transaction, each in its own source and under its own offset, in the order in
 * which the source had them. What can be stored now (or is stored already) is marked as resolved in the same
 * transaction; the rest stays as it is. No bytes are ever removed.
 *
 * @param ids few enough that their bytes fit into memory at once
 * @param prepare checks and encodes the raw bytes with today's rules
 */
export async function retryDeadLetterBatch(
  pool: Pool,
  ids: readonly number[],
  prepare: (raw: Uint8Array | null) => PreparedRecord,
): Promise<RetriedDeadLetter[]> {
  return await inTransaction(pool, async (transaction) => {
    const letters = await lockDeadLetters(transaction, ids);
    // All before the first lock on the head, which stops everybody else who appends.
    const prepared = letters.map((letter) => ({ ...letter, prepared: prepare(letter.raw) }));
    const results: RetriedDeadLetter[] = [];
    for (const [sourceId, ofSource] of Map.groupBy(prepared, (letter) => letter.source_id)) {
      results.push(...(await retryOfSource(transaction, sourceId, ofSource)));
    }
    await resolveDeadLetters(transaction, resolutionsOf(results));
    const open = new Set(letters.map(({ id }) => id));
    const others = new Set(ids.filter((id) => !open.has(id)));
    for (const id of others) results.push({ id, outcome: 'not_open', message: `There is no open dead letter ${id}.` });
    return results;
  });
}
