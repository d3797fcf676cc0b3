/**
 * The maximum size of a record that is kept whole as a dead letter. Storing one takes a few times its size in memory.
 */
const MAX_WHOLE_BYTES = 32 * 1024 * 1024;
/** The bytes that are kept of a longer record: enough to identify its origin. */
const MAX_PART_BYTES = 64 * 1024;

/** Returns the number of bytes to keep of a record of `bytes` bytes. */
export function keptOf(bytes: number): number {
  return bytes > MAX_WHOLE_BYTES ? MAX_PART_BYTES : bytes;
}
