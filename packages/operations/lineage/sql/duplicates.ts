import type { Statement, Transaction } from '@milepost/postgres';
import type { TracedDuplicate } from '../resource.ts';

const DUPLICATES: Statement = {
  name: 'lineage-duplicates',
  text: `SELECT duplicate.position, duplicate.received_at, source.topic, source.partition,
           duplicate.source_offset AS "offset"
         FROM log.duplicate duplicate JOIN log.source source USING (source_id)
         WHERE duplicate.position = ANY($1::bigint[])
         ORDER BY duplicate.received_at DESC, duplicate.source_id DESC, duplicate.source_offset DESC LIMIT $2`,
};

/** The newest `limit` duplicates of these stored events, oldest first. */
export async function readDuplicates(
  transaction: Transaction,
  positions: readonly number[],
  limit: number,
): Promise<TracedDuplicate[]> {
  const rows = await transaction.rows<TracedDuplicate>(DUPLICATES, [positions, limit]);
  return rows.reverse();
}
