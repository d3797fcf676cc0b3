import type { IncomingRecord } from '@milepost/event-log/prepare';

const MAX_REFUSALS = 100;
/** The maximum number of bytes to hold back. After these bytes, the file is treated as a file of records. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The first hundred records of the file are all refused, so no part of it was stored. */
export class RefusedFileError extends Error {
  override name = 'RefusedFileError';

  readonly file: string;

  constructor(file: string, [first]: readonly IncomingRecord[]) {
    const message = first && !first.prepared.storable ? ` Line ${first.offset}: ${first.prepared.refusal.message}` : '';
    super(`The first ${MAX_REFUSALS} records of ${file} are all refused, so nothing from it was stored.${message}`);
    this.file = file;
  }
}

/**
 * Holds back the records at the start of a file until one of them can be stored. Otherwise, a file in another format
 * would create a dead letter for every line.
 */
export class FileStart {
  readonly #name: string;
  #kept: IncomingRecord[] = [];
  #isOver: boolean;

  /** @param force whether all records pass without a check */
  constructor(name: string, force: boolean) {
    this.#name = name;
    this.#isOver = force;
  }

  /**
   * Adds the next records from the file and returns those that can be stored now.
   *
   * @throws RefusedFileError when the first hundred records are all refused
   */
  take(records: IncomingRecord[]): IncomingRecord[] {
    if (this.#isOver) return records;
    this.#kept.push(...records);
    const accepted = this.#kept.findIndex(({ prepared }) => prepared.storable);
    if (accepted >= MAX_REFUSALS || (accepted < 0 && this.#kept.length >= MAX_REFUSALS)) {
      throw new RefusedFileError(this.#name, this.#kept);
    }
    const bytes = this.#kept.reduce((sum, { raw }) => sum + (raw?.byteLength ?? 0), 0);
    return accepted >= 0 || bytes > MAX_BYTES ? this.end() : [];
  }

  /** Returns the records held back, once the file has ended or is known to contain records. */
  end(): IncomingRecord[] {
    this.#isOver = true;
    return this.#kept.splice(0);
  }
}
