import { inTransaction, type Pool, statement, type Transaction } from '@milepost/postgres';
import { SourceFencedError } from './fences.ts';
import { insertDeadLetters } from './insert.ts';
import type { IncomingRecord, SourceRecord } from './prepare.ts';
import type { AppendCounts, LastRecord, SourceClaim } from './sources.ts';
import { type Outcome, storeRecords } from './store-records.ts';

/** Records that directly follow the stored records of their source. */
export interface SourceBatch {
  claim: SourceClaim;
  records: readonly IncomingRecord[];
  /** The offset after the last record. */
  nextOffset: number;
  /**
   * The record by which the topic is recognized from now on. If `known` is absent, the earlier record remains in use.
   */
  known?: LastRecord | null;
  /** How many of the records up to `nextOffset` are stored in another log. */
  elsewhere?: number;
  /** The fleets of the records counted in `elsewhere`. */
  fleetsElsewhere?: ReadonlySet<string>;
  /** Whether the records are copies from another log. Fences do not apply to copies. */
  isCopy?: boolean;
}

/** The result of a batch. */
export interface AppendedBatch {
  counts: AppendCounts;
  /** The claim for the next append. */
  claim: SourceClaim;
}

/** A source whose records before `nextOffset` have been stored by the transaction. */
type SourceAdvance = Pick<SourceBatch, 'claim' | 'nextOffset' | 'known' | 'elsewhere'> & { counts: AppendCounts };

/** One statement checks the claim and moves the offset, so that other processes cannot claim the source in between. */
const ADVANCE_SOURCES = statement('advance-sources', { source_id: 'number' })`
  UPDATE log_source source
  SET next_offset = batch.next_offset, records_read = records_read + batch.read + batch.elsewhere,
      records_stored = records_stored + batch.stored, records_duplicate = records_duplicate + batch.duplicates,
      records_dead_letter = records_dead_letter + batch.dead_letters,
      records_elsewhere = records_elsewhere + batch.elsewhere,
      last_offset = coalesce(batch.last_offset, source.last_offset),
      last_timestamp = coalesce(batch.last_timestamp, source.last_timestamp),
      last_hash = CASE WHEN batch.last_offset IS NULL THEN source.last_hash ELSE batch.last_hash END,
      fault = NULL, fault_at = NULL
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
      $8::bigint[], $9::bigint[], $10::bigint[], $11::bytea[], $12::bigint[])
    AS batch (source_id, epoch, expected_offset, next_offset, read, stored, duplicates, dead_letters, last_offset,
      last_timestamp, last_hash, elsewhere)
  WHERE source.source_id = batch.source_id AND source.epoch = batch.epoch
    AND source.next_offset = batch.expected_offset AND NOT source.stopped
  RETURNING source.source_id`;

/** Moves the offsets of the sources whose claims are still valid. Returns the claims that are no longer valid. */
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
    advances.map(({ known }) => known?.offset ?? null),
    advances.map(({ known }) => known?.timestamp ?? null),
    advances.map(({ known }) => known?.hash ?? null),
    advances.map(({ elsewhere = 0 }) => elsewhere),
  ]);
  const advanced = new Set(rows.map((row) => row.source_id));
  // The statement updates a source's row only once, so of two claims on one source, at most one takes effect.
  return advances.flatMap(({ claim }) => (advanced.delete(claim.sourceId) ? [] : [claim]));
}

function countsOf({ claim: { sourceId }, records }: SourceBatch, outcome: Outcome): AppendCounts {
  const ofSource = (items: readonly { record: SourceRecord }[]) =>
    items.reduce((count, { record }) => (record.sourceId === sourceId ? count + 1 : count), 0);
  return {
    read: records.length,
    stored: ofSource(outcome.placed),
    duplicates: ofSource(outcome.duplicates),
    dead_letters: ofSource(outcome.deadLetters),
  };
}

/**
 * Stores batches from different sources, one after another. Because one transaction writes the stored events, the dead
 * letters and the sources' offsets, a record takes effect exactly once, however often it is delivered.
 *
 * @returns the last position in the log, the result of each batch in order, the reason for each dead letter, and how
 *   long the transaction waited for the lock on the head of the log
 * @throws SourceFencedError when another process has claimed one of the sources; in that case, nothing was stored
 * @throws FleetFencedError when a fleet is being moved to another log; in that case, nothing was stored
 */
export async function appendTogether(pool: Pool, batches: readonly SourceBatch[]) {
  const records = batches.flatMap(({ claim: { sourceId }, records: ofSource }) =>
    ofSource.map((record) => ({ ...record, sourceId })),
  );
  const fleetsElsewhere = new Set(batches.flatMap((batch) => [...(batch.fleetsElsewhere ?? [])]));
  const isCopy = batches.every((batch) => batch.isCopy);
  return await inTransaction(pool, async (transaction) => {
    const { outcome, headPosition, lockMilliseconds } = await storeRecords(
      transaction,
      records,
      fleetsElsewhere,
      isCopy,
    );
    await insertDeadLetters(transaction, outcome.deadLetters);
    const advances = batches.map((batch) => ({ ...batch, counts: countsOf(batch, outcome) }));
    const [fenced] = await advanceSources(transaction, advances);
    if (fenced) {
      throw new SourceFencedError(
        `Source ${fenced.topic}/${fenced.partition} was claimed by another process, or stopped: offset ${fenced.nextOffset} of epoch ${fenced.epoch} is no longer valid.`,
      );
    }
    const appended: AppendedBatch[] = advances.map(({ claim, nextOffset, counts, known }) => ({
      counts,
      claim: { ...claim, nextOffset, last: known ?? claim.last },
    }));
    const deadLetterReasons = outcome.deadLetters.map(({ refusal }) => refusal.reason);
    return { headPosition, appended, deadLetterReasons, lockMilliseconds };
  });
}
