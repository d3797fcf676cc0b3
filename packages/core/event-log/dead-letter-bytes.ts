import { statement, type Transaction } from '@milepost/postgres';

/** A dead letter's row contains at most this many bytes of its record. The rest is stored in chunks of this size. */
export const DEAD_LETTER_CHUNK_BYTES = 256 * 1024;

/**
 * The maximum size of a record kept whole as a dead letter. Storing a record needs several times its size in memory.
 */
const MAX_WHOLE_BYTES = 32 * 1024 * 1024;
/** The number of bytes kept from a longer record, which is enough to identify the record's origin. */
const MAX_PART_BYTES = 64 * 1024;

/** Returns how many bytes are kept from a record with `bytes` bytes. */
export function keptOf(bytes: number): number {
  return bytes > MAX_WHOLE_BYTES ? MAX_PART_BYTES : bytes;
}

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
