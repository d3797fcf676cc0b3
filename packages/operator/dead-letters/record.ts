import { readChunks } from '@milepost/event-log/dead-letter-bytes';
import { type Pool, query, statement } from '@milepost/postgres';

const READ_ROW = statement('read-dead-letter-row', { raw: 'bytes?', rest_bytes: 'number' })`
  SELECT raw, rest_bytes FROM dead_letter WHERE dead_letter_id = $1`;

/**
 * Opens a dead letter's record. `byteLength` is 0 when the record had no value at all or its driver has been erased.
 * Each chunk is read on demand, so only one is in memory at a time, regardless of the record's size.
 *
 * @param pool connections made as the operator role
 * @returns null when the dead letter does not exist
 */
export async function openRecord(pool: Pool, id: number) {
  const [row] = await query(pool, READ_ROW, [id]);
  if (!row) return null;
  const { raw, rest_bytes } = row;
  return { byteLength: (raw?.byteLength ?? 0) + rest_bytes, chunks: chunksOf(pool, id, raw, rest_bytes) };
}

async function* chunksOf(pool: Pool, id: number, raw: Buffer | null, restBytes: number): AsyncGenerator<Buffer> {
  if (raw === null) return;
  yield raw;
  yield* readChunks(pool, id, restBytes);
}
