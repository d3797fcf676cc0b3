import type { FetchedRecord } from '@milepost/domain/records';
import { gatherBytes, type PreparedRecord, readFetched } from '@milepost/event-log/prepare';
import { lowerPriority } from '@milepost/service/priority';
import { move, transferableSymbol, valueSymbol } from 'piscina';

/** Reading can wait, so it has a lower priority than the transaction that stores records. */
const READING_NICENESS = 10;

lowerPriority(READING_NICENESS);

/** Consecutive records in a form that is cheap to transfer. */
export interface ReadingTask {
  /** The records' bytes, one record after another. */
  bytes: ArrayBuffer;
  /** The records' lengths, where null stands for a record without a value. */
  lengths: (number | null)[];
  /** The refusals by index. Few records are refused before they are read. */
  refusals: ReadonlyMap<number, FetchedRecord['refusal']>;
  /** Whether the records may be lines of an archive. */
  archived: boolean;
}

export interface ReadRecords {
  prepared: PreparedRecord[];
  /** The buffer of the task, returned to the caller. */
  bytes: ArrayBuffer;
}

/** Checks and encodes the records of a task in order. All buffers are transferred, not copied. */
export default function readRecords({ bytes, lengths, refusals, archived }: ReadingTask) {
  const now = Date.now();
  let start = 0;
  const prepared = lengths.map((length, index) => {
    const value = length === null ? null : new Uint8Array(bytes, start, length);
    start += length ?? 0;
    return readFetched({ value, refusal: refusals.get(index) }, archived, now);
  });
  const read: ReadRecords = { prepared, bytes };
  return move({ [transferableSymbol]: [gatherBytes(prepared), bytes], [valueSymbol]: read });
}
