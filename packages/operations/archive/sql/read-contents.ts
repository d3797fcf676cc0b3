import type { Pool, Statement } from '@milepost/postgres';
import { IS_ERASED } from './erased.ts';

/** What an archive's line is compared with. */
export interface StoredContent {
  position: number;
  content_hash: string;
  effective: boolean;
  supersedes: number | null;
  erased: boolean;
}

const READ_CONTENTS: Statement = {
  name: 'archive-read-contents',
  text: `SELECT position, encode(content_hash, 'hex') AS content_hash, effective, supersedes, ${IS_ERASED} AS erased
         FROM log.stored_event WHERE position = ANY ($1::bigint[])`,
};

const COUNT_ERASED: Statement = {
  name: 'archive-count-erased',
  text: `SELECT count(*) AS erased FROM log.stored_event WHERE position BETWEEN $1 AND $2 AND ${IS_ERASED}`,
};

/** The stored events at these positions, by position; those that the log does not have are absent. */
export async function readContents(pool: Pool, positions: readonly number[]): Promise<Map<number, StoredContent>> {
  const { rows } = await pool.query<StoredContent>({ ...READ_CONTENTS, values: [positions] });
  return new Map(rows.map((row) => [row.position, row]));
}

/** How many stored events from `first` to `last` have no record any more, and therefore no line in an archive. */
export async function countErased(pool: Pool, first: number, last: number): Promise<number> {
  const { rows } = await pool.query<{ erased: number }>({ ...COUNT_ERASED, values: [first, last] });
  return rows[0]?.erased ?? 0;
}
