import type { Pool, Statement } from '@milepost/postgres';
import type { AppendCounts } from './advance-sources.ts';

const READ_COUNTS: Statement = {
  name: 'read-source-counts',
  text: `SELECT records_read AS read, records_stored AS stored, records_duplicate AS duplicates,
           records_dead_letter AS dead_letters
         FROM log.source WHERE source_id = $1`,
};

/** What has become of all records of a source so far. */
export async function readSourceCounts(pool: Pool, sourceId: number): Promise<AppendCounts> {
  const { rows } = await pool.query<AppendCounts>({ ...READ_COUNTS, values: [sourceId] });
  const [counts] = rows;
  if (!counts) throw new Error(`There is no source ${sourceId}.`);
  return counts;
}

/** The last committed position of the log. */
export async function readHeadPosition(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ position: number }>('SELECT position FROM log.head');
  const [head] = rows;
  if (!head) throw new Error('The log has no head: the database was not migrated.');
  return head.position;
}
