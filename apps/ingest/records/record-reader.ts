import { extname, join } from 'node:path';
import type { FetchedRecord } from '@milepost/domain/records';
import { chunkBySize } from '@milepost/event-log/chunk-by-size';
import { type IncomingRecord, type PreparedRecord, readFetched } from '@milepost/event-log/prepare';
import { Piscina } from 'piscina';
import type { ReadingTask, ReadRecords } from './reading-thread.ts';

/** The file is TypeScript in the repository and JavaScript in the published package, like this file. */
const THREAD = join(import.meta.dirname, `reading-thread${extname(import.meta.filename)}`);

/**
 * The reading thread works on one task while others wait. The main thread cannot prepare a task while it decodes a
 * broker's response, which takes as long as reading several tasks.
 */
const MAX_PENDING_TASKS = 4;
/** The maximum size of a task. A batch has few enough records for one task (`MAX_BATCH`). */
const MAX_TASK_BYTES = 1024 * 1024;
/**
 * The thread has a heap of its own, in addition to the process's heap. Without these limits, the thread's heap would
 * grow to several times the necessary size. The limits are more than twice what the parsed records of any task need.
 */
const HEAP_LIMITS = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 128 };

/** The limits for a batch stored in one transaction. A batch is full when it reaches either limit. */
export const MAX_BATCH = { records: 500, bytes: 4 * 1024 * 1024 };

const bytesOf = ({ value }: FetchedRecord): number => value?.byteLength ?? 0;

/** Copies records one after another into `bytes`. */
function pack(records: readonly FetchedRecord[], bytes: ArrayBuffer, archived: boolean): ReadingTask {
  const lengths = records.map(({ value }) => value?.byteLength ?? null);
  const refusals = new Map<number, FetchedRecord['refusal']>();
  const target = new Uint8Array(bytes);
  let at = 0;
  for (const [index, { value, refusal }] of records.entries()) {
    if (refusal) refusals.set(index, refusal);
    if (value === null) continue;
    target.set(value, at);
    at += value.byteLength;
  }
  return { bytes, lengths, refusals, archived };
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

  /** Returns the records, each with its prepared form, in order. */
  async prepare(records: readonly FetchedRecord[]): Promise<IncomingRecord[]> {
    const tasks = Array.from(chunkBySize(records, bytesOf, { maxSize: MAX_TASK_BYTES }), (task) => this.#run(task));
    const read = (await Promise.all(tasks)).flat();
    return records.map(({ offset, value: raw, headers }, index): IncomingRecord => {
      const prepared = read[index];
      if (!prepared) throw new Error(`The thread returned no result for the record at offset ${offset}.`);
      return { offset, raw, prepared, traceparent: headers?.traceparent ?? null };
    });
  }

  /** Ends the thread. Pending tasks fail with an error. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #run(records: readonly FetchedRecord[]): Promise<PreparedRecord[]> {
    const [first] = records;
    // Parsing a large record can need more memory than the thread's heap limit allows, so the main thread parses it.
    if (first && bytesOf(first) > MAX_TASK_BYTES) return [readFetched(first, this.#archived, Date.now())];
    const buffer = this.#buffers.shift() ?? Promise.resolve(new ArrayBuffer(MAX_TASK_BYTES));
    const read = buffer.then((free) => {
      const task = pack(records, free, this.#archived);
      return this.#pool.run(task, { transferList: [task.bytes] });
    });
    // The buffer of a failed task stays with the thread.
    this.#buffers.push(read.then(({ bytes }) => bytes).catch(() => new ArrayBuffer(MAX_TASK_BYTES)));
    return (await read).prepared;
  }
}
