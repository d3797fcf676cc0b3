import { hash } from 'node:crypto';

/** What is kept of the last record read of a topic's partition, to know it again. */
export interface LastRecord {
  offset: number;
  /** The broker's, in epoch milliseconds. */
  timestamp: number;
  /** SHA-256 of the record's bytes; null once an erasure has taken it. */
  hash: Buffer | null;
}

/** What to keep of a record. */
export function lastRecordOf(offset: number, timestamp: number, raw: Uint8Array | null): LastRecord {
  return { offset, timestamp, hash: hash('sha256', raw ?? '', 'buffer') };
}

/** Whether a record is the one that was kept. Without a hash its offset and timestamp have to do. */
export function isSameRecord(kept: LastRecord, found: LastRecord): boolean {
  if (kept.offset !== found.offset || kept.timestamp !== found.timestamp) return false;
  return kept.hash === null || (found.hash !== null && kept.hash.equals(found.hash));
}
