import type { Statement, Transaction } from '@milepost/postgres';

/** A record whose content the stored event at `position` held already. */
export interface Duplicate {
  sourceId: number;
  sourceOffset: number;
  position: number;
}

const INSERT_DUPLICATES: Statement = {
  name: 'insert-duplicates',
  text: `INSERT INTO log.duplicate (received_at, source_id, source_offset, position)
         SELECT now(), duplicate.* FROM unnest($1::integer[], $2::bigint[], $3::bigint[]) AS duplicate`,
};

/** Notes which records brought nothing new, one statement for all of them and none where there are none. */
export async function insertDuplicates(transaction: Transaction, duplicates: readonly Duplicate[]): Promise<void> {
  if (duplicates.length === 0) return;
  await transaction.execute(INSERT_DUPLICATES, [
    duplicates.map((duplicate) => duplicate.sourceId),
    duplicates.map((duplicate) => duplicate.sourceOffset),
    duplicates.map((duplicate) => duplicate.position),
  ]);
}
