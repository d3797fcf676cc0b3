import { readArchivedRecord } from '@milepost/event-log';
import { type Pool, type RetryOptions, retryTransientErrors } from '@milepost/postgres';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { type ArchiveRange, countErased, readContents, type StoredContent } from './log.ts';
import { ArchiveDamagedError, readArchiveLines } from './read-lines.ts';

/** So many lines are looked up in the log at once; only their hashes are kept until then. */
const BATCH_LINES = 500;
/** So many differences are named; all are counted. */
const NAMED_DIFFERENCES = 20;

interface ArchiveDifference {
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

const Position = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
/** What a line says of its stored event's place in the log. */
const Place = Type.Object({
  position: Position,
  effective: Type.Boolean(),
  supersedes: Type.Union([Position, Type.Null()]),
  from: Position,
  through: Position,
});
const PlaceCheck = Compile(Type.Object({ milepost: Place }));
const PLACE_FIELD = '"milepost":';

/** A line read back. `contentHash` null: `refusal` says why ingest would not store it. */
interface ArchivedLine {
  place: Static<typeof Place>;
  contentHash: string | null;
  refusal: string | null;
}

/** Reads a line as ingest would. Null: it does not say where it belongs. */
function readArchivedLine(line: Buffer): ArchivedLine | null {
  // The field is the last of its line and its quotes cannot stand in a string: the 26 kB before it need no second parsing.
  const start = line.lastIndexOf(PLACE_FIELD);
  let end: unknown;
  try {
    end = start < 0 ? null : JSON.parse(`{${line.toString('utf8', start)}`);
  } catch {
    return null;
  }
  if (!PlaceCheck.Check(end)) return null;
  const prepared = readArchivedRecord(line, Date.now());
  if (!prepared.storable) return { place: end.milepost, contentHash: null, refusal: prepared.refusal.message };
  return { place: end.milepost, contentHash: prepared.draft.contentHash, refusal: null };
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

interface VerifyArchiveOptions {
  /** Connections in the role `milepost_operator`. */
  pool: Pool;
  file: string;
  signal: AbortSignal;
  onProgress?: (lines: number, total: number) => void;
  /** Told of each transient error, before the wait (in milliseconds) for the next attempt. */
  onRetry?: RetryOptions['onRetry'];
}

/** One comparison of an archive's lines with the log. */
class Verification {
  readonly #pool: Pool;
  readonly #retry: RetryOptions;
  /** The range that the first line names; null before it. */
  range: ArchiveRange | null = null;
  erasedRecords = 0;
  readonly differences: ArchiveDifference[] = [];
  differenceCount = 0;
  /** The position that comes next. */
  #next = 1;

  constructor(pool: Pool, retry: RetryOptions) {
    this.#pool = pool;
    this.#retry = retry;
  }

  add(position: number | null, line: number | null, difference: string): void {
    this.differenceCount += 1;
    if (this.differences.length < NAMED_DIFFERENCES) this.differences.push({ position, line, difference });
  }

  /** Compares the next lines, of which the first has this number. */
  async compareNext(lines: readonly (ArchivedLine | null)[], first: number): Promise<void> {
    const positions = lines.flatMap((line) => line?.place.position ?? []);
    const contents = await retryTransientErrors(() => readContents(this.#pool, positions), this.#retry);
    for (const [index, line] of lines.entries()) {
      const number = first + index;
      if (line === null) {
        this.add(null, number, 'does not end in the field "milepost" that says its position');
        continue;
      }
      await this.#followOrder(line.place, number);
      const stored = contents.get(line.place.position);
      if (stored?.erased) this.erasedRecords += 1;
      const difference = compare(line, stored);
      if (difference !== null) this.add(line.place.position, number, difference);
    }
  }

  /** Each position comes once, in order. */
  async #followOrder({ position, from, through }: Static<typeof Place>, line: number): Promise<void> {
    const range = this.range ?? { from, through };
    if (this.range === null) this.#next = from;
    this.range = range;
    if (from !== range.from || through !== range.through) {
      const ranges = `${from} to ${through}, and the first line to one of ${range.from} to ${range.through}`;
      this.add(position, line, `belongs to an archive of ${ranges}`);
    } else if (position < from || position > through) {
      this.add(position, line, `lies outside the archive's range of ${from} to ${through}`);
    } else if (position < this.#next) {
      this.add(position, line, `stands out of order, behind position ${this.#next - 1}`);
    } else {
      await this.missThrough(position - 1, line);
      this.#next = position + 1;
    }
  }

  /** What ought to have come before, up to a position, is missing but for what was erased. */
  async missThrough(through: number, line: number | null): Promise<void> {
    const from = this.#next;
    if (from > through) return;
    const erased = await retryTransientErrors(() => countErased(this.#pool, from, through), this.#retry);
    if (erased > through - from) return;
    this.add(from, line, from === through ? 'is missing' : `is missing, and so are those through ${through}`);
  }
}

/**
 * Reads an archive back and compares it with the log: each line is a record that ingest would take, with the content,
 * the effect and the predecessor that the log has at its position, and the lines are the archive's whole range in order.
 * From where and when a record came is not compared: a log restored from the archive says otherwise, and is as good.
 * Damage of the file is a difference like any other.
 *
 * @throws when the file cannot be opened
 */
export async function verifyArchive(options: VerifyArchiveOptions): Promise<VerifiedArchive> {
  const { pool, file, signal, onProgress = () => {}, onRetry } = options;
  const verification = new Verification(pool, { signal, onRetry });
  let waiting: (ArchivedLine | null)[] = [];
  let lines = 0;
  const compareWaiting = async () => {
    const next = waiting;
    waiting = [];
    await verification.compareNext(next, lines - next.length + 1);
    const { range } = verification;
    if (range !== null) onProgress(lines, range.through - range.from + 1);
  };
  let damage: string | null = null;
  try {
    for await (const line of readArchiveLines(file)) {
      signal.throwIfAborted();
      lines += 1;
      waiting.push(readArchivedLine(line));
      if (waiting.length >= BATCH_LINES) await compareWaiting();
    }
  } catch (error) {
    if (!(error instanceof ArchiveDamagedError)) throw error;
    damage = error.message;
  }
  await compareWaiting();
  if (damage !== null) verification.add(null, lines + 1, `cannot be read from here on: ${damage}`);
  else if (lines === 0) verification.add(null, null, 'the archive has not one line');
  const { range } = verification;
  if (range !== null) await verification.missThrough(range.through, null);
  return {
    from: range?.from ?? null,
    through: range?.through ?? null,
    stored_events: lines,
    equal: verification.differenceCount === 0,
    difference_count: verification.differenceCount,
    differences: verification.differences,
    erased_records: verification.erasedRecords,
  };
}
