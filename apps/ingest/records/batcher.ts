import type { IncomingRecord } from '@milepost/event-log';
import type { RecordReader } from './record-reader.ts';

/** A batch is full at this many records, or at this many bytes of them, whichever comes first. */
const LARGEST_BATCH_RECORDS = 500;
const LARGEST_BATCH_BYTES = 4 * 1024 * 1024;

/** Stores a batch; `nextOffset` is the offset after its last record. Batches are passed one after the other. */
export type StoreBatch = (records: IncomingRecord[], nextOffset: number) => Promise<void>;

type RawRecord = Omit<IncomingRecord, 'prepared'>;

/**
 * Has records checked and encoded, and stores them in batches. While one batch is being stored the next one is prepared,
 * so that parsing and writing in the database overlap; besides these two, only the one being collected is in memory.
 */
export class RecordBatcher {
  readonly #reader: Pick<RecordReader, 'read'>;
  readonly #store: StoreBatch;
  #records: RawRecord[] = [];
  #bytes = 0;
  #nextOffset = 0;
  /** Of the last batch, and of the one before it: resolved when it is stored. */
  #last: Promise<void> = Promise.resolve();
  #lastButOne: Promise<void> = Promise.resolve();

  constructor(reader: Pick<RecordReader, 'read'>, store: StoreBatch) {
    this.#reader = reader;
    this.#store = store;
  }

  /** Takes one record of the source; `raw` is its value as it arrived, `timestamp` the broker's. Rejects when a batch before could not be stored. */
  async add(offset: number, raw: Uint8Array | null, timestamp?: number): Promise<void> {
    this.#records.push({ offset, raw, timestamp });
    this.#bytes += raw?.byteLength ?? 0;
    this.#nextOffset = offset + 1;
    if (this.#records.length >= LARGEST_BATCH_RECORDS || this.#bytes >= LARGEST_BATCH_BYTES) await this.#send();
  }

  /** Resolves when everything taken so far is stored. */
  async flush(): Promise<void> {
    await this.#send();
    await this.#last;
  }

  async #send(): Promise<void> {
    const records = this.#records;
    const nextOffset = this.#nextOffset;
    this.#records = [];
    this.#bytes = 0;
    await this.#lastButOne;
    if (records.length === 0) return;
    this.#lastButOne = this.#last;
    this.#last = this.#readAndStore(records, nextOffset, this.#last);
    // Whoever adds or flushes next sees the failure; until then it must not count as unhandled.
    this.#last.catch(() => {});
  }

  async #readAndStore(records: readonly RawRecord[], nextOffset: number, before: Promise<void>): Promise<void> {
    const [prepared] = await Promise.all([this.#reader.read(records.map(({ raw }) => raw)), before]);
    const incoming = records.map((record, index): IncomingRecord => {
      const read = prepared[index];
      if (!read) throw new Error(`Nothing was read of the record at offset ${record.offset}.`);
      return { ...record, prepared: read };
    });
    await this.#store(incoming, nextOffset);
  }
}
