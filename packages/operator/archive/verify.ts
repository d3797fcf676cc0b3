import { readArchivedRecord } from '@milepost/event-log/prepare';
import { type Pool, query, queryRow, type RetryOptions, type RowOf, retryTransientErrors } from '@milepost/postgres';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { type ArchiveRange, COUNT_ERASED, READ_CONTENTS } from './log.ts';
import { ArchiveDamagedError, readArchiveLines } from './read-lines.ts';

/** The number of lines that one batch compares with the log. A line in a waiting batch is kept only as a hash. */
const BATCH_LINES = 500;
/** The maximum number of listed differences. All differences are counted. */
const MAX_LISTED_DIFFERENCES = 20;

interface ArchiveDifference {
  /** Null when the line does not give its position, or when the difference affects the whole file. */
  position: number | null;
  /** The number of the line in the decompressed archive, starting at 1; null when the difference is not in a line. */
  line: number | null;
  difference: string;
}

const Position = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
/** The stored event's place in the log, as declared in its line. */
const Place = Type.Object({
  position: Position,
  effective: Type.Boolean(),
  supersedes: Type.Union([Position, Type.Null()]),
  from: Position,
  through: Position,
});
const PlaceCheck = Compile(Type.Object({ milepost: Place }));
const PLACE_FIELD = '"milepost":';

/** A line that has been read back. When `contentHash` is null, `refusal` says why ingest would refuse the line. */
interface ArchivedLine {
  place: Static<typeof Place>;
  contentHash: string | null;
  refusal: string | null;
}

/** Reads a line as ingest does. Returns null when the line does not declare its place. */
function readArchivedLine(line: Buffer): ArchivedLine | null {
  // The field is the last one on its line. Its quoted name cannot occur inside a string, because the quotes would be
  // escaped there. The last occurrence is therefore the field, and the rest of the line (26 kB for a typical trip) is
  // parsed only once.
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

/** Returns the difference between a line and the log; null when there is none. */
function compare(
  { place, contentHash, refusal }: ArchivedLine,
  stored: RowOf<typeof READ_CONTENTS> | undefined,
): string | null {
  if (contentHash === null) return `can no longer be stored: ${refusal}`;
  if (stored === undefined) return 'is not in the log';
  // The log no longer contains the content of an erased stored event.
  if (stored.erased) return null;
  if (stored.content_hash !== contentHash) return 'has different content in the log';
  if (stored.effective !== place.effective) return `is ${stored.effective ? '' : 'not '}effective in the log`;
  if (stored.supersedes === place.supersedes) return null;
  return `supersedes ${stored.supersedes ?? 'nothing'} in the log, and ${place.supersedes ?? 'nothing'} in the archive`;
}

interface VerifyArchiveOptions extends RetryOptions {
  /** Connections made as the role `milepost_operator`. */
  pool: Pool;
  file: string;
  onProgress?: (lines: number, total: number) => void;
}

/** One comparison of an archive's lines with the log. */
class Verification {
  readonly #pool: Pool;
  readonly #retry: RetryOptions;
  /** The range declared in the first line; null before that line is read. */
  range: ArchiveRange | null = null;
  /** The number of lines whose stored events were erased later, so that only the archive still contains them. */
  erasedRecords = 0;
  /** The first 20 differences, in the order of the lines. */
  readonly differences: ArchiveDifference[] = [];
  differenceCount = 0;
  /** The expected next position. */
  #next = 1;

  constructor(pool: Pool, retry: RetryOptions) {
    this.#pool = pool;
    this.#retry = retry;
  }

  add(position: number | null, line: number | null, difference: string): void {
    this.differenceCount += 1;
    if (this.differences.length < MAX_LISTED_DIFFERENCES) this.differences.push({ position, line, difference });
  }

  /** Compares the next lines. `first` is the first line's number. */
  async compareNext(lines: readonly (ArchivedLine | null)[], first: number): Promise<void> {
    const positions = lines.flatMap((line) => line?.place.position ?? []);
    const rows = await retryTransientErrors(() => query(this.#pool, READ_CONTENTS, [positions]), this.#retry);
    const contents = new Map(rows.map((row) => [row.position, row]));
    for (const [index, line] of lines.entries()) {
      const number = first + index;
      if (line === null) {
        this.add(null, number, 'does not end with the field "milepost", which gives its position');
        continue;
      }
      await this.#followOrder(line.place, number);
      const stored = contents.get(line.place.position);
      if (stored?.erased) this.erasedRecords += 1;
      const difference = compare(line, stored);
      if (difference !== null) this.add(line.place.position, number, difference);
    }
  }

  /** Checks that each position occurs once and in order. */
  async #followOrder({ position, from, through }: Static<typeof Place>, line: number): Promise<void> {
    const range = this.range ?? { from, through };
    if (this.range === null) this.#next = from;
    this.range = range;
    if (from !== range.from || through !== range.through) {
      const first = `the first line belongs to an archive of positions ${range.from} to ${range.through}`;
      this.add(position, line, `belongs to an archive of positions ${from} to ${through}, but ${first}`);
    } else if (position < from || position > through) {
      this.add(position, line, `is outside the archive's range of ${from} to ${through}`);
    } else if (position < this.#next) {
      this.add(position, line, `is out of order, after position ${this.#next - 1}`);
    } else {
      await this.missThrough(position - 1, line);
      this.#next = position + 1;
    }
  }

  /** Reports the positions up to `through` that are missing although they were not erased. */
  async missThrough(through: number, line: number | null): Promise<void> {
    const from = this.#next;
    if (from > through) return;
    const count = () => queryRow(this.#pool, COUNT_ERASED, [from, through]);
    if ((await retryTransientErrors(count, this.#retry)).erased > through - from) return;
    this.add(from, line, from === through ? 'is missing' : `is missing, as are all positions up to ${through}`);
  }
}

/**
 * Reads an archive back and compares it with the log. Each line must be a record that ingest would store. The record
 * must have the same content and effect as the stored event at its position, and supersede the same event. The lines
 * must cover the whole range in order. The source and the time of a record are not compared, because they are different
 * in a restored log. A damaged file counts as a difference.
 *
 * @throws when the file cannot be opened
 */
export async function verifyArchive(options: VerifyArchiveOptions) {
  const { pool, file, signal, onProgress = () => {} } = options;
  const verification = new Verification(pool, options);
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
  else if (lines === 0) verification.add(null, null, 'the archive has no lines');
  const { range } = verification;
  if (range !== null) await verification.missThrough(range.through, null);
  return {
    /** The range declared in the archive; null when no line could be read. */
    from: range?.from ?? null,
    through: range?.through ?? null,
    /** The number of lines that have been read. */
    stored_events: lines,
    equal: verification.differenceCount === 0,
    difference_count: verification.differenceCount,
    differences: verification.differences,
    erased_records: verification.erasedRecords,
  };
}
