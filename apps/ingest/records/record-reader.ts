import { extname, join } from 'node:path';
import type { Refusal } from '@milepost/domain/records';
import { chunkBySize } from '@milepost/event-log/chunk-by-size';
import { namesIn } from '@milepost/event-log/names-in';
import { type IncomingRecord, type PreparedRecord, readArchivedRecord, readRecord } from '@milepost/event-log/prepare';
import { Piscina } from 'piscina';
import type { ReadingTask, ReadRecords } from './reading-thread.ts';

/** The file is TypeScript in the repository and JavaScript in the published package, like this file. */
const THREAD = join(import.meta.dirname, `reading-thread${extname(import.meta.filename)}`);

/**
 * The reading thread works on one task while others wait. The main thread cannot prepare a task while it decodes a
 * broker's response, which takes as long as reading several tasks.
 */
const MAX_PENDING_TASKS = 4;
/** The limits of a task. */
const MAX_TASK_RECORDS = 500;
const MAX_TASK_BYTES = 1024 * 1024;
/**
 * The thread has a heap of its own, in addition to the process's heap. Without these limits, the thread's heap would
 * grow to several times the necessary size. The limits are more than twice what the parsed records of any task need.
 */
const HEAP_LIMITS = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 128 };

/** The limits for a batch stored in one transaction. A batch is full when it reaches either limit. */
export const MAX_BATCH = { records: 500, bytes: 4 * 1024 * 1024 };

type Raw = Uint8Array | null;

/**
 * A record as it arrived. A `refusal` says why it was not read; `raw` is then only part of the record, or part of a
 * batch that was not decompressed.
 */
export interface RawRecord extends Omit<IncomingRecord, 'prepared'> {
  refusal?: Refusal | undefined;
}

function refused(refusal: Refusal, raw: Raw): PreparedRecord {
  // Compressed bytes do not show which drivers they name.
  const isPacked = raw !== null && refusal.reason !== 'record_too_large';
  return { storable: false, refusal, named: isPacked ? 'unclear' : namesIn(raw) };
}

/** Copies records one after another into `bytes`. */
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
 * Checks and encodes records, which is most of ingest's work, on a separate thread. Meanwhile, the main thread runs the
 * transaction that stores the previous records. Callers must close the reader.
 */
export class RecordReader {
  readonly #archived: boolean;
  readonly #pool = new Piscina<ReadingTask, ReadRecords>({
    filename: THREAD,
    minThreads: 1,
    maxThreads: 1,
    concurrentTasksPerWorker: MAX_PENDING_TASKS,
    resourceLimits: HEAP_LIMITS,
  });
  /** The thread returns the buffers for reuse, because allocating their memory costs more than filling it. */
  readonly #buffers = Array.from({ length: MAX_PENDING_TASKS }, () => Promise.resolve(new ArrayBuffer(MAX_TASK_BYTES)));

  /** @param archived whether the records may be archive lines; only files may contain such lines */
  constructor(archived = false) {
    this.#archived = archived;
  }

  /** Prepares each record, in order. */
  async read(raws: readonly Raw[]): Promise<PreparedRecord[]> {
    const tasks = Array.from(
      chunkBySize(raws, (raw) => raw?.byteLength ?? 0, { maxItems: MAX_TASK_RECORDS, maxSize: MAX_TASK_BYTES }),
      (task) => this.#run(task),
    );
    return (await Promise.all(tasks)).flat();
  }

  /** Returns the records, each with its prepared form. */
  async prepare(records: readonly RawRecord[]): Promise<IncomingRecord[]> {
    const read = await this.read(records.flatMap(({ raw, refusal }) => (refusal ? [] : [raw])));
    let next = 0;
    return records.map(({ refusal, ...record }): IncomingRecord => {
      if (refusal) return { ...record, prepared: refused(refusal, record.raw) };
      const prepared = read[next];
      next += 1;
      if (!prepared) throw new Error(`The thread returned no result for the record at offset ${record.offset}.`);
      return { ...record, prepared };
    });
  }

  /** Ends the thread. Pending tasks fail with an error. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #run(raws: readonly Raw[]): Promise<PreparedRecord[]> {
    const [first = null] = raws;
    // Parsing a large record can need more memory than the thread's heap limit allows, so the main thread parses it.
    if (first !== null && first.byteLength > MAX_TASK_BYTES) {
      const read = this.#archived ? readArchivedRecord : readRecord;
      return [read(first, Date.now())];
    }
    const buffer = this.#buffers.shift() ?? Promise.resolve(new ArrayBuffer(MAX_TASK_BYTES));
    const read = buffer.then((free) => {
      const task = pack(raws, free, this.#archived);
      return this.#pool.run(task, { transferList: [task.bytes] });
    });
    // The buffer of a failed task stays with the thread.
    this.#buffers.push(read.then(({ bytes }) => bytes).catch(() => new ArrayBuffer(MAX_TASK_BYTES)));
    return (await read).prepared;
  }
}
