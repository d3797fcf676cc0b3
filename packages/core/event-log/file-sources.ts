import { columns, execute, type Pool, query, queryRow, type RowOf, statement } from '@milepost/postgres';
import { COLUMNS, RETURNING, type SourceClaim, toClaim } from './sources.ts';

/** Each run over a file is a source of its own, with the run's number in place of the partition. */
const CLAIM_FILE = statement('claim-file', COLUMNS)`
  WITH run AS (SELECT coalesce(max(partition), 0) + 1 AS number FROM log_source WHERE topic = $1)
  INSERT INTO log_source (topic, partition, epoch) SELECT $1::text, number, 1 FROM run
  ON CONFLICT (topic, partition) DO NOTHING ${RETURNING}`;

/** Claims the next run over a file, starting at the beginning of the file. */
export async function claimFile(pool: Pool, name: string): Promise<SourceClaim> {
  for (;;) {
    const [row] = await query(pool, CLAIM_FILE, [`file:${name}`]);
    if (row) return toClaim(row);
    // Another process has just taken this number, so try the next one.
  }
}

const END_SOURCE = statement('end-source')`
  UPDATE log_source SET ended_at = now() WHERE source_id = $1 AND epoch = $2`;

/** Records that a file has been read to its end, if the claim is still valid. */
export async function endSource(pool: Pool, { sourceId, epoch }: SourceClaim): Promise<void> {
  await execute(pool, END_SOURCE, [sourceId, epoch]);
}

const READ_COUNTS = statement('read-source-counts', columns('number', 'read', 'stored', 'duplicates', 'dead_letters'))`
  SELECT records_read - records_elsewhere AS read, records_stored AS stored, records_duplicate AS duplicates,
    records_dead_letter AS dead_letters
  FROM log_source WHERE source_id = $1`;

/** The number of records with each result; `read` is their sum. */
export type AppendCounts = RowOf<typeof READ_COUNTS>;

/** Reads a source's record counts so far. */
export async function readSourceCounts(pool: Pool, sourceId: number): Promise<AppendCounts> {
  return await queryRow(pool, READ_COUNTS, [sourceId]);
}
