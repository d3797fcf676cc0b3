import { extname, join } from 'node:path';
import { cut, type IncomingRecord, type PreparedRecord, readArchivedRecord, readRecord } from '@milepost/event-log';
import { Piscina } from 'piscina';
import type { ReadingTask, ReadRecords } from './reading-thread.ts';

/** TypeScript here, JavaScript in the published package, as this file is. */
const THREAD = join(import.meta.dirname, `reading-thread${extname(import.meta.filename)}`);

/** While the thread works on one, the next one is put together here. */
const TASKS_UNDER_WAY = 2;
/** A task has at most as many records, and at most as many bytes of them. */
const LARGEST_TASK = { items: 500, bytes: 1024 * 1024 };
/**
 * Without limits the thread's heap grows to a few times what it needs, beside that of the process. A task's records, as
 * odd as they may be, take less than half of it when they are parsed.
 */
const HEAP_LIMITS = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 128 };

/** What is stored at once is full at this many records, or at this many bytes of them, whichever comes first. */
export const LARGEST_BATCH = { records: 500, bytes: 4 * 1024 * 1024 };

type Raw = Uint8Array | null;

/** A record as it arrived. */
export type RawRecord = Omit<IncomingRecord, 'prepared'>;

/** Puts records one behind the other into `bytes`. */
function pack(raws: readonly Raw[], bytes: ArrayBuffer, archived: boolean): ReadingTask {
  const lengths = raws.map((raw) => raw?.byteLength ?? null);
  const target = new Uint8Array(bytes);
  let at = 0;
  for (const raw of raws) {
    if (raw === null) continue;
    target.set(raw, at);
    at += raw.byteLength;
  }
  return { bytes, lengths, archived };
}

/**
 * Checks and encodes records on a thread of its own. That is most of what ingest does, and meanwhile this thread goes on
 * with the transaction that stores the records before (docs/adr/0015). Close it in the end.
 */
export class RecordReader {
  readonly #archived: boolean;
  readonly #pool = new Piscina<ReadingTask, ReadRecords>({
    filename: THREAD,
    minThreads: 1,
    maxThreads: 1,
    concurrentTasksPerWorker: TASKS_UNDER_WAY,
    resourceLimits: HEAP_LIMITS,
  });
  /** They travel to the thread and back: pages of new memory cost more than the copy into them. */
  readonly #buffers = Array.from({ length: TASKS_UNDER_WAY }, () =>
    Promise.resolve(new ArrayBuffer(LARGEST_TASK.bytes)),
  );

  /** @param archived whether the records may be lines of an archive, as those of files may */
  constructor(archived = false) {
    this.#archived = archived;
  }

  /** What each record becomes, in their order. */
  async read(raws: readonly Raw[]): Promise<PreparedRecord[]> {
    const tasks = Array.from(
      cut(raws, (raw) => raw?.byteLength ?? 0, LARGEST_TASK),
      (task) => this.#run(task),
    );
    return (await Promise.all(tasks)).flat();
  }

  /** The records, each with what it becomes. */
  async prepare(records: readonly RawRecord[]): Promise<IncomingRecord[]> {
    const read = await this.read(records.map(({ raw }) => raw));
    return records.map((record, index): IncomingRecord => {
      const prepared = read[index];
      if (!prepared) throw new Error(`Nothing was read of the record at offset ${record.offset}.`);
      return { ...record, prepared };
    });
  }

  /** Ends the thread; what it has not read by then is refused with an error. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #run(raws: readonly Raw[]): Promise<PreparedRecord[]> {
    const [first = null] = raws;
    // What parsing it takes has no bound that the thread's heap could have; here it has that of the process.
    if (first !== null && first.byteLength > LARGEST_TASK.bytes) {
      const read = this.#archived ? readArchivedRecord : readRecord;
      return [read(first, Date.now())];
    }
    const buffer = this.#buffers.shift() ?? Promise.resolve(new ArrayBuffer(LARGEST_TASK.bytes));
    const read = buffer.then((free) => {
      const task = pack(raws, free, this.#archived);
      return this.#pool.run(task, { transferList: [task.bytes] });
    });
    // A buffer whose task failed stays where it was.
    this.#buffers.push(read.then(({ bytes }) => bytes).catch(() => new ArrayBuffer(LARGEST_TASK.bytes)));
    return (await read).prepared;
  }
}
