import type { IncomingRecord } from '@milepost/event-log';

const MOST_REFUSALS = 100;
/** More bytes than these are not kept back. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A file that begins with nothing but records that are refused: nothing of it was stored. */
export class RefusedFileError extends Error {
  override name = 'RefusedFileError';

  readonly file: string;

  constructor(message: string, file: string) {
    super(message);
    this.file = file;
  }
}

/**
 * Keeps the records at the start of a file back until one of them can be stored. A file of something else would leave a dead
 * letter for each of its lines.
 */
export class FileStart {
  readonly #name: string;
  #kept: IncomingRecord[] = [];
  #isOver: boolean;

  /** @param force whether to let all pass */
  constructor(name: string, force: boolean) {
    this.#name = name;
    this.#isOver = force;
  }

  /**
   * Takes the next records of the file and returns those that are to be stored now.
   *
   * @throws RefusedFileError when the first hundred are all refused
   */
  take(records: IncomingRecord[]): IncomingRecord[] {
    if (this.#isOver) return records;
    this.#kept.push(...records);
    const accepted = this.#kept.findIndex(({ prepared }) => prepared.storable);
    if (accepted >= MOST_REFUSALS || (accepted < 0 && this.#kept.length >= MOST_REFUSALS)) throw this.#refusal();
    const bytes = this.#kept.reduce((sum, { raw }) => sum + (raw?.byteLength ?? 0), 0);
    return accepted >= 0 || bytes > MOST_BYTES ? this.end() : [];
  }

  /** Returns what was kept back: the file has no more, or is known to be one of records. */
  end(): IncomingRecord[] {
    this.#isOver = true;
    return this.#kept.splice(0);
  }

  #refusal(): RefusedFileError {
    const [first] = this.#kept;
    const message = first && !first.prepared.storable ? ` Line ${first.offset}: ${first.prepared.refusal.message}` : '';
    return new RefusedFileError(
      `The first ${MOST_REFUSALS} records of ${this.#name} are all refused, so nothing of it was stored.${message}`,
      this.#name,
    );
  }
}
