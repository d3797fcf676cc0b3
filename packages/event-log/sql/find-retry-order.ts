import type { Pool, Statement } from '@milepost/postgres';

/** A dead letter to be tried again, and what it will take. */
export interface RetryCandidate {
  id: number;
  raw_bytes: number;
}

const FIND_RETRY_ORDER: Statement = {
  name: 'find-retry-order',
  text: `SELECT dead_letter_id AS id, coalesce(octet_length(raw), 0) AS raw_bytes FROM log.dead_letter
         WHERE dead_letter_id = ANY($1::bigint[]) AND resolution IS NULL
         ORDER BY source_id, source_offset, dead_letter_id`,
};

/**
 * The open ones among these dead letters by source and offset, as their records came. Ids follow the order of arrival only
 * within one batch of one source: a topic read by two processes, or twice, mixes them.
 */
export async function findRetryOrder(pool: Pool, ids: readonly number[]): Promise<RetryCandidate[]> {
  const { rows } = await pool.query<RetryCandidate>({ ...FIND_RETRY_ORDER, values: [ids] });
  return rows;
}
