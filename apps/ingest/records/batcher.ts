import { type IncomingRecord, readRecord } from '@milepost/event-log';

/** A batch is full at this many records, or at this many bytes of them, whichever comes first. */
const LARGEST_BATCH_RECORDS = 1_000;
const LARGEST_BATCH_BYTES = 8 * 1024 * 1024;

/** Stores a batch; `nextOffset` is the offset after its last record. Batches are passed one after the other. */
export type StoreBatch = (records: IncomingRecord[], nextOffset: number) => Promise<void>;

/**
 * Checks and encodes records and stores them in batches. While one batch is being stored the next one is prepared, so
 * that parsing here and writing in the database overlap; there are never more than these two in memory.
 */
export class RecordBatcher {
  readonly #store: StoreBatch;
  #records: IncomingRecord[] = [];
  #bytes = 0;
  #nextOffset = 0;
  #storing: Promise<void> = Promise.resolve();

  constructor(store: StoreBatch) {
    this.#store = store;
  }

  /** Takes one record of the source; `raw` is its value as it arrived. Rejects when the batch before could not be stored. */
  async add(offset: number, raw: Uint8Array | null): Promise<void> {
    this.#records.push({ offset, raw, prepared: readRecord(raw, Date.now()) });
    this.#bytes += raw?.byteLength ?? 0;
    this.#nextOffset = offset + 1;
    if (this.#records.length >= LARGEST_BATCH_RECORDS || this.#bytes >= LARGEST_BATCH_BYTES) await this.#send();
  }

  /** Resolves when everything taken so far is stored. */
  async flush(): Promise<void> {
    await this.#send();
    await this.#storing;
  }

  async #send(): Promise<void> {
    const records = this.#records;
    const nextOffset = this.#nextOffset;
    this.#records = [];
    this.#bytes = 0;
    await this.#storing;
    if (records.length === 0) return;
    this.#storing = this.#store(records, nextOffset);
    // Whoever adds or flushes next sees the failure; until then it must not count as unhandled.
    this.#storing.catch(() => {});
  }
}
