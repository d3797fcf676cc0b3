import { gatherBytes, type PreparedRecord, readArchivedRecord, readRecord } from '@milepost/event-log/prepare';
import { lowerPriority } from '@milepost/service/priority';
import { move, transferableSymbol, valueSymbol } from 'piscina';

/** Reading can wait, so it has a lower priority than the transaction that stores records. */
const READING_NICENESS = 10;

lowerPriority(READING_NICENESS);

/** The bytes of consecutive records and their lengths, where null stands for a record without a value. */
export interface ReadingTask {
  bytes: ArrayBuffer;
  lengths: (number | null)[];
  /** Whether the records may be lines of an archive. */
  archived: boolean;
}

export interface ReadRecords {
  prepared: PreparedRecord[];
  /** The buffer of the task, returned to the caller. */
  bytes: ArrayBuffer;
}

function prepare({ bytes, lengths, archived }: ReadingTask): PreparedRecord[] {
  const read = archived ? readArchivedRecord : readRecord;
  const now = Date.now();
  let start = 0;
  return lengths.map((length) => {
    if (length === null) return read(null, now);
    const raw = new Uint8Array(bytes, start, length);
    start += length;
    return read(raw, now);
  });
}

/** Checks and encodes the records of a task in order. All buffers are transferred, not copied. */
export default function readRecords(task: ReadingTask) {
  const prepared = prepare(task);
  const value: ReadRecords = { prepared, bytes: task.bytes };
  return move({ [transferableSymbol]: [gatherBytes(prepared), task.bytes], [valueSymbol]: value });
}
