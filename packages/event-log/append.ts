import { inTransaction, type Pool } from '@milepost/postgres';
import { SourceFencedError } from './errors.ts';
import { advanceSource } from './sql/advance-source.ts';
import type { SourceClaim } from './sql/claim-source.ts';
import { insertDeadLetters } from './sql/insert-dead-letters.ts';
import { type IncomingRecord, storeRecords } from './store-records.ts';

/** What became of the records read; `read` is the sum of the others. */
export interface AppendCounts {
  read: number;
  stored: number;
  duplicates: number;
  dead_letters: number;
}

export interface Appended {
  counts: AppendCounts;
  /** The last position in the log after this batch. */
  headPosition: number;
  /** The claim to append the next batch with. */
  claim: SourceClaim;
}

/**
 * Stores a batch of one source: stored events, dead letters and the source's offset in one transaction, so that a record
 * has its effect exactly once however often it is delivered.
 *
 * @param nextOffset the offset after the last record of the batch
 * @throws SourceFencedError when another process has claimed the source; nothing was stored then
 */
export async function append(
  pool: Pool,
  claim: SourceClaim,
  records: readonly IncomingRecord[],
  nextOffset: number,
): Promise<Appended> {
  return await inTransaction(pool, async (transaction) => {
    const { outcome, headPosition } = await storeRecords(transaction, claim.sourceId, records);
    const { placed, deadLetters, duplicates } = outcome;
    await insertDeadLetters(transaction, claim.sourceId, deadLetters);
    const counts = {
      read: records.length,
      stored: placed.length,
      duplicates: duplicates.length,
      dead_letters: deadLetters.length,
    };
    if (!(await advanceSource(transaction, claim, nextOffset, counts))) {
      throw new SourceFencedError(
        `Source ${claim.topic}/${claim.partition} was claimed by another process: offset ${claim.nextOffset} of epoch ${claim.epoch} no longer holds.`,
      );
    }
    return { counts, headPosition, claim: { ...claim, nextOffset } };
  });
}
