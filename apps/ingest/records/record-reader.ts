import { fileURLToPath } from 'node:url';
import { type PreparedRecord, readRecord } from '@milepost/event-log';
import { Piscina } from 'piscina';
import type { ReadingTask, ReadRecords } from './reading-thread.ts';

const THREAD = fileURLToPath(new URL('./reading-thread.ts', import.meta.url));

/** While the thread works on one, the next one is put together here. */
const TASKS_UNDER_WAY = 2;
/** A task ends at this many records, or at this many bytes of them, whichever comes first. */
const LARGEST_TASK_RECORDS = 500;
const LARGEST_TASK_BYTES = 1024 * 1024;
/**
 * Without limits the thread's heap grows to a few times what it needs, beside that of the process. A task's records, as
 * odd as they may be, take less than half of it when they are parsed.
 */
const HEAP_LIMITS = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 128 };

type Raw = Uint8Array | null;

/** Cuts records into tasks; one that is too large for the thread is a task alone. */
function* tasksOf(raws: readonly Raw[]): Generator<readonly Raw[]> {
  let start = 0;
  let bytes = 0;
  for (const [index, raw] of raws.entries()) {
    const length = raw?.byteLength ?? 0;
    if (index > start && (index - start === LARGEST_TASK_RECORDS || bytes + length > LARGEST_TASK_BYTES)) {
      yield raws.slice(start, index);
      start = index;
      bytes = 0;
    }
    bytes += length;
  }
  if (start < raws.length) yield raws.slice(start);
}

/** Puts records one behind the other into `bytes`. */
function pack(raws: readonly Raw[], bytes: ArrayBuffer): ReadingTask {
  const lengths = raws.map((raw) => raw?.byteLength ?? null);
  const target = new Uint8Array(bytes);
  let at = 0;
  for (const raw of raws) {
    if (raw === null) continue;
    target.set(raw, at);
    at += raw.byteLength;
  }
  return { bytes, lengths };
}

/**
 * Checks and encodes records on a thread of its own. That is most of what ingest does, and meanwhile this thread goes on
 * with the transaction that stores the records before (docs/adr/0015). Close it in the end.
 */
export class RecordReader {
  readonly #pool = new Piscina<ReadingTask, ReadRecords>({
    filename: THREAD,
    minThreads: 1,
    maxThreads: 1,
    concurrentTasksPerWorker: TASKS_UNDER_WAY,
    resourceLimits: HEAP_LIMITS,
  });
  /** They travel to the thread and back: pages of new memory cost more than the copy into them. */
  readonly #buffers = Array.from({ length: TASKS_UNDER_WAY }, () =>
    Promise.resolve(new ArrayBuffer(LARGEST_TASK_BYTES)),
  );

  /** What each record becomes, in their order. */
  async read(raws: readonly Raw[]): Promise<PreparedRecord[]> {
    const tasks = Array.from(tasksOf(raws), (task) => this.#run(task));
    return (await Promise.all(tasks)).flat();
  }

  /** Ends the thread; what it has not read by then is refused with an error. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #run(raws: readonly Raw[]): Promise<PreparedRecord[]> {
    const [first = null] = raws;
    // What parsing it takes has no bound that the thread's heap could have; here it has that of the process.
    if (first !== null && first.byteLength > LARGEST_TASK_BYTES) return [readRecord(first, Date.now())];
    const buffer = this.#buffers.shift() ?? Promise.resolve(new ArrayBuffer(LARGEST_TASK_BYTES));
    const read = buffer.then((free) => {
      const task = pack(raws, free);
      return this.#pool.run(task, { transferList: [task.bytes] });
    });
    // A buffer whose task failed stays where it was.
    this.#buffers.push(read.then(({ bytes }) => bytes).catch(() => new ArrayBuffer(LARGEST_TASK_BYTES)));
    return (await read).prepared;
  }
}
