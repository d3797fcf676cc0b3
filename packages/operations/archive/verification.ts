import { type Pool, type RetryOptions, retryPassingFaults } from '@milepost/postgres';
import { type ArchivedLine, readArchivedLine } from './archived-line.ts';
import { type OrderFinding, PositionOrder } from './position-order.ts';
import type { ArchiveRange } from './range.ts';
import { countErased, readContents, type StoredContent } from './sql/read-contents.ts';

/** So many lines are looked up in the log at once; only their hashes are kept until then. */
const BATCH_LINES = 500;
/** So many differences are named; all are counted. */
const NAMED_DIFFERENCES = 20;

export interface ArchiveDifference {
  /** Null when the line does not say, or the file as a whole is meant. */
  position: number | null;
  /** Line of the unpacked archive, counted from 1; null when there is none. */
  line: number | null;
  difference: string;
}

export interface VerifiedArchive {
  /** The range that the archive says it holds; null when not one line could be read. */
  from: number | null;
  through: number | null;
  /** Lines read. */
  stored_events: number;
  equal: boolean;
  difference_count: number;
  /** The first 20, in the order of the lines. */
  differences: ArchiveDifference[];
  /** Lines of stored events that have been erased from the log since: the archive still holds what they said. */
  erased_records: number;
}

/** A line that waits for its batch. `archived` null: it does not say where it belongs. */
interface WaitingLine {
  number: number;
  archived: ArchivedLine | null;
  finding: OrderFinding;
}

/** How a line differs from the log; null when it does not. */
function compare({ place, contentHash, refusal }: ArchivedLine, stored: StoredContent | undefined): string | null {
  if (contentHash === null) return `cannot be stored any more: ${refusal}`;
  if (stored === undefined) return 'is not in the log';
  // There is nothing left in the log to compare it with.
  if (stored.erased) return null;
  if (stored.content_hash !== contentHash) return 'has other content in the log';
  if (stored.effective !== place.effective) return `is ${stored.effective ? '' : 'not '}effective in the log`;
  if (stored.supersedes === place.supersedes) return null;
  return `supersedes ${stored.supersedes ?? 'nothing'} in the log, and ${place.supersedes ?? 'nothing'} in the archive`;
}

/** One comparison of an archive's lines with the log: `take` each line, then `end`. */
export class Verification {
  readonly #pool: Pool;
  readonly #retry: RetryOptions;
  readonly #order = new PositionOrder();
  readonly #differences: ArchiveDifference[] = [];
  #differenceCount = 0;
  #lines = 0;
  #erasedRecords = 0;
  #waiting: WaitingLine[] = [];

  constructor(pool: Pool, retry: RetryOptions) {
    this.#pool = pool;
    this.#retry = retry;
  }

  get lines(): number {
    return this.#lines;
  }

  /** The range that the archive says it holds; null before its first line. */
  get range(): ArchiveRange | null {
    return this.#order.range;
  }

  async take(bytes: Buffer): Promise<void> {
    this.#lines += 1;
    const archived = readArchivedLine(bytes, Date.now());
    const finding = archived ? this.#order.take(archived.place) : { gap: null, difference: null };
    this.#waiting.push({ number: this.#lines, archived, finding });
    if (this.#waiting.length >= BATCH_LINES) await this.#compareWaiting();
  }

  /** @param damage why the lines end before the archive does, if they do */
  async end(damage: string | null): Promise<VerifiedArchive> {
    await this.#compareWaiting();
    if (damage !== null) this.#add(null, this.#lines + 1, `cannot be read from here on: ${damage}`);
    else if (this.#lines === 0) this.#add(null, null, 'the archive has not one line');
    const gap = this.#order.end();
    if (gap !== null) await this.#addMissing(gap, null);
    return {
      from: this.range?.from ?? null,
      through: this.range?.through ?? null,
      stored_events: this.#lines,
      equal: this.#differenceCount === 0,
      difference_count: this.#differenceCount,
      differences: this.#differences,
      erased_records: this.#erasedRecords,
    };
  }

  #add(position: number | null, line: number | null, difference: string): void {
    this.#differenceCount += 1;
    if (this.#differences.length < NAMED_DIFFERENCES) this.#differences.push({ position, line, difference });
  }

  async #addMissing({ from, through }: ArchiveRange, line: number | null): Promise<void> {
    const erased = await retryPassingFaults(() => countErased(this.#pool, from, through), this.#retry);
    if (erased > through - from) return;
    this.#add(from, line, from === through ? 'is missing' : `is missing, and so are those through ${through}`);
  }

  async #compareWaiting(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    const positions = waiting.flatMap(({ archived }) => (archived ? [archived.place.position] : []));
    const contents = await retryPassingFaults(() => readContents(this.#pool, positions), this.#retry);
    for (const { number, archived, finding } of waiting) {
      if (archived === null) {
        this.#add(null, number, 'does not end in the field "milepost" that says its position');
        continue;
      }
      const { position } = archived.place;
      if (finding.gap !== null) await this.#addMissing(finding.gap, number);
      if (finding.difference !== null) this.#add(position, number, finding.difference);
      const stored = contents.get(position);
      if (stored?.erased) this.#erasedRecords += 1;
      const difference = compare(archived, stored);
      if (difference !== null) this.#add(position, number, difference);
    }
  }
}
