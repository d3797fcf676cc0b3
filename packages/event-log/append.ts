import { inTransaction, type Pool } from '@milepost/postgres';
import { SourceFencedError } from './errors.ts';
import { type LastRecord, lastRecordOf } from './last-record.ts';
import type { IncomingRecord } from './prepare.ts';
import { type AppendCounts, advanceSources } from './sql/advance-sources.ts';
import type { SourceClaim } from './sql/claim-source.ts';
import { insertDeadLetters } from './sql/insert-dead-letters.ts';
import { type Outcome, storeRecords } from './store-records.ts';

/** Records that follow on what is stored of their source. */
export interface SourceBatch {
  claim: SourceClaim;
  records: readonly IncomingRecord[];
  /** The offset after the last of the records. */
  nextOffset: number;
}

/** What became of a batch. */
export interface AppendedBatch {
  counts: AppendCounts;
  /** The claim to append the next batch with. */
  claim: SourceClaim;
}

export interface Appended extends AppendedBatch {
  /** The last position in the log after this batch. */
  headPosition: number;
}

function countsOf({ claim: { sourceId }, records }: SourceBatch, outcome: Outcome): AppendCounts {
  const ofSource = (items: readonly { sourceId: number }[]) =>
    items.reduce((count, item) => (item.sourceId === sourceId ? count + 1 : count), 0);
  return {
    read: records.length,
    stored: ofSource(outcome.placed),
    duplicates: ofSource(outcome.duplicates),
    dead_letters: ofSource(outcome.deadLetters),
  };
}

function lastOf({ records }: SourceBatch): LastRecord | null {
  const last = records.at(-1);
  return last?.timestamp === undefined ? null : lastRecordOf(last.offset, last.timestamp, last.raw);
}

/**
 * Stores batches of different sources, one after the other: stored events, dead letters and the sources' offsets in one
 * transaction, so that a record has its effect exactly once however often it is delivered.
 *
 * @returns what became of each, in their order, and the last position in the log
 * @throws SourceFencedError when another process has claimed one of the sources; nothing of any was stored then
 */
export async function appendTogether(
  pool: Pool,
  batches: readonly SourceBatch[],
): Promise<{ headPosition: number; appended: AppendedBatch[] }> {
  const records = batches.flatMap(({ claim: { sourceId }, records: ofSource }) =>
    ofSource.map((record) => ({ ...record, sourceId })),
  );
  const lasts = batches.map(lastOf);
  return await inTransaction(pool, async (transaction) => {
    const { outcome, headPosition } = await storeRecords(transaction, records);
    await insertDeadLetters(transaction, outcome.deadLetters);
    const advances = batches.map((batch, index) => ({
      ...batch,
      counts: countsOf(batch, outcome),
      last: lasts[index] ?? null,
    }));
    const [fenced] = await advanceSources(transaction, advances);
    if (fenced) {
      throw new SourceFencedError(
        `Source ${fenced.topic}/${fenced.partition} was claimed by another process, or stopped: offset ${fenced.nextOffset} of epoch ${fenced.epoch} no longer holds.`,
      );
    }
    const appended = advances.map(({ claim, nextOffset, counts, last }) => ({
      counts,
      claim: { ...claim, nextOffset, last },
    }));
    return { headPosition, appended };
  });
}

/**
 * Stores a batch of one source.
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
  const { headPosition, appended } = await appendTogether(pool, [{ claim, records, nextOffset }]);
  const [batch] = appended;
  if (!batch) throw new Error('A batch was appended, and nothing said what became of it.');
  return { ...batch, headPosition };
}
