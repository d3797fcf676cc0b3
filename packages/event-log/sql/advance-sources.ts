import type { Statement, Transaction } from '@milepost/postgres';
import type { LastRecord } from '../last-record.ts';
import type { SourceClaim } from './claim-source.ts';

/** What became of the records read; `read` is the sum of the others. */
export interface AppendCounts {
  read: number;
  stored: number;
  duplicates: number;
  dead_letters: number;
}

/** A source whose records up to `nextOffset` the transaction has stored. */
export interface SourceAdvance {
  claim: SourceClaim;
  nextOffset: number;
  counts: AppendCounts;
  /** The last of the records; null for those of a file. */
  last: LastRecord | null;
}

/** A single statement compares and sets: checked apart, a second owner could slip in between. */
const ADVANCE_SOURCES: Statement = {
  name: 'advance-sources',
  text: `UPDATE log.source
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
         RETURNING source.source_id`,
};

/** Moves the offsets of the sources whose claims still hold, and returns those that another process has claimed since. */
export async function advanceSources(
  transaction: Transaction,
  advances: readonly SourceAdvance[],
): Promise<SourceClaim[]> {
  const rows = await transaction.rows<{ source_id: number }>(ADVANCE_SOURCES, [
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
