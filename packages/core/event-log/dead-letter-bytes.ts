import { type Pool, query, statement, Transaction } from '@milepost/postgres';

/** A dead letter's row contains at most this many bytes of its record. The rest is stored in chunks of this size. */
export const DEAD_LETTER_CHUNK_BYTES = 256 * 1024;

const INSERT_CHUNK = statement('insert-dead-letter-chunk')`
  INSERT INTO dead_letter_chunk (dead_letter_id, chunk, bytes) VALUES ($1, $2, $3)`;

/** Stores the bytes of a record that do not fit in its dead letter's row. */
export async function insertChunks(transaction: Transaction, id: number, raw: Uint8Array): Promise<void> {
  for (let chunk = 1, start = DEAD_LETTER_CHUNK_BYTES; start < raw.byteLength; chunk += 1) {
    const end = Math.min(start + DEAD_LETTER_CHUNK_BYTES, raw.byteLength);
    await transaction.execute(INSERT_CHUNK, [id, chunk, Buffer.from(raw.buffer, raw.byteOffset + start, end - start)]);
    start = end;
  }
}

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
    const [row] = await (connections instanceof Transaction
      ? connections.rows(READ_CHUNK, [id, chunk])
      : query(connections, READ_CHUNK, [id, chunk]));
    if (!row?.bytes.byteLength) throw new Error(`The bytes of dead letter ${id} were erased while being read.`);
    yield row.bytes;
  }
}
