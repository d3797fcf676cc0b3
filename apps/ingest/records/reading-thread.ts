import { gatherBytes, type PreparedRecord, readArchivedRecord, readRecord } from '@milepost/event-log';
import { lowerPriority } from '@milepost/service/priority';
import { move, transferableSymbol, valueSymbol } from 'piscina';

/** Most of what ingest does can wait the longest: below that of the transaction which stores what was read. */
const READING_NICENESS = 10;

lowerPriority(READING_NICENESS);

/** Records one behind the other in `bytes`, each with its length; null is a record without a value. */
export interface ReadingTask {
  bytes: ArrayBuffer;
  lengths: (number | null)[];
  /** Whether they may be lines of an archive. */
  archived: boolean;
}

export interface ReadRecords {
  prepared: PreparedRecord[];
  /** Those of the task, given back. */
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

/** What the thread does with a task: checks and encodes its records, in their order. All buffers move, none is copied. */
export default function readRecords(task: ReadingTask) {
  const prepared = prepare(task);
  const value: ReadRecords = { prepared, bytes: task.bytes };
  return move({ [transferableSymbol]: [gatherBytes(prepared), task.bytes], [valueSymbol]: value });
}
