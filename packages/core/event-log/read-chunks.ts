import { type Pool, query, statement, type Transaction } from '@milepost/postgres';
import { DEAD_LETTER_CHUNK_BYTES } from './dead-letter-bytes.ts';

const READ_CHUNK = statement('read-dead-letter-chunk', { bytes: 'bytes' })`
  SELECT bytes FROM dead_letter_chunk WHERE dead_letter_id = $1 AND chunk = $2`;

/**
 * Yields the bytes of a record that are not in its dead letter's row. Each chunk is read only when it is requested.
 *
 * @param restBytes how many bytes of the record are not in its dead letter's row
 * @throws Error when an erasure has removed the bytes in the meantime
 */
export async function* readChunks(
  connections: Pool | Transaction,
  id: number,
  restBytes: number,
): AsyncGenerator<Buffer> {
  const count = Math.ceil(restBytes / DEAD_LETTER_CHUNK_BYTES);
  for (let chunk = 1; chunk <= count; chunk += 1) {
    const values = [id, chunk];
    const [row] =
      'rows' in connections ? await connections.rows(READ_CHUNK, values) : await query(connections, READ_CHUNK, values);
    if (!row?.bytes.byteLength) throw new Error(`The bytes of dead letter ${id} were erased while being read.`);
    yield row.bytes;
  }
}
