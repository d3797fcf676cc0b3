import type { Statement, Transaction } from '@milepost/postgres';
import type { AppendCounts } from '../append.ts';
import type { SourceClaim } from './claim-source.ts';

/** A single statement compares and sets: checked apart, a second owner could slip in between. */
const ADVANCE_SOURCE: Statement = {
  name: 'advance-source',
  text: `UPDATE log.source
         SET next_offset = $4, records_read = records_read + $5, records_stored = records_stored + $6,
             records_duplicate = records_duplicate + $7, records_dead_letter = records_dead_letter + $8
         WHERE source_id = $1 AND epoch = $2 AND next_offset = $3`,
};

/** Moves a source's offset if the claim still holds; false when another process has claimed the source since. */
export async function advanceSource(
  transaction: Transaction,
  claim: SourceClaim,
  nextOffset: number,
  counts: AppendCounts,
): Promise<boolean> {
  const { read, stored, duplicates, dead_letters } = counts;
  const values = [claim.sourceId, claim.epoch, claim.nextOffset, nextOffset, read, stored, duplicates, dead_letters];
  return (await transaction.execute(ADVANCE_SOURCE, values)) === 1;
}
