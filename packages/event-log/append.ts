import { inTransaction, number, type Pool, statement, type Transaction } from '@milepost/postgres';
import { insertDeadLetters } from './insert.ts';
import type { IncomingRecord } from './prepare.ts';
import { type AppendCounts, type LastRecord, lastRecordOf, type SourceClaim } from './sources.ts';
import { type Outcome, storeRecords } from './store-records.ts';

/**
 * Another process has claimed the source since, its offset has moved, or it was stopped: what this process wanted to store was not
 * stored, and it must claim the source again before it goes on.
 */
export class SourceFencedError extends Error {
  override name = 'SourceFencedError';
}

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

interface Appended extends AppendedBatch {
  /** The last position in the log after this batch. */
  headPosition: number;
}

/** A source whose records up to `nextOffset` the transaction has stored. */
interface SourceAdvance {
  claim: SourceClaim;
  nextOffset: number;
  counts: AppendCounts;
  /** The last of the records; null for those of a file. */
  last: LastRecord | null;
}

/** A single statement compares and sets: checked apart, a second owner could slip in between. */
const ADVANCE_SOURCES = statement('advance-sources', { source_id: number })`
  UPDATE log.source
  SET next_offset = batch.next_offset, records_read = records_read + batch.read,
      records_stored = records_stored + batch.stored, records_duplicate = records_duplicate + batch.duplicates,
      records_dead_letter = records_dead_letter + batch.dead_letters, last_offset = batch.last_offset,
      last_timestamp = batch.last_timestamp, last_hash = batch.last_hash, fault = NULL, fault_at = NULL
  FROM unnest($1::integer[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
      $8::bigint[], $9::bigint[], $10::bigint[], $11::bytea[])
    AS batch (source_id, epoch, expected_offset, next_offset, read, stored, duplicates, dead_letters, last_offset,
      last_timestamp, last_hash)
  WHERE source.source_id = batch.source_id AND source.epoch = batch.epoch
    AND source.next_offset = batch.expected_offset AND NOT source.stopped
  RETURNING source.source_id`;

/** Moves the offsets of the sources whose claims still hold, and returns those that another process has claimed since. */
async function advanceSources(transaction: Transaction, advances: readonly SourceAdvance[]): Promise<SourceClaim[]> {
  const rows = await transaction.rows(ADVANCE_SOURCES, [
    advances.map(({ claim }) => claim.sourceId),
    advances.map(({ claim }) => claim.epoch),
    advances.map(({ claim }) => claim.nextOffset),
    advances.map(({ nextOffset }) => nextOffset),
    advances.map(({ counts }) => counts.read),
    advances.map(({ counts }) => counts.stored),
    advances.map(({ counts }) => counts.duplicates),
    advances.map(({ counts }) => counts.dead_letters),
    advances.map(({ last }) => last?.offset ?? null),
    advances.map(({ last }) => last?.timestamp ?? null),
    advances.map(({ last }) => last?.hash ?? null),
  ]);
  const advanced = new Set(rows.map((row) => row.source_id));
  // Two claims on one source cannot both hold: the row was moved once.
  return advances.flatMap(({ claim }) => (advanced.delete(claim.sourceId) ? [] : [claim]));
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
