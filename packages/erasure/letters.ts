import { namesIn } from '@milepost/event-log';
import { bytes, number, present, statement, type Transaction } from '@milepost/postgres';

/** Searched by one statement: it unpacks each letter, which takes a tenth of a millisecond. */
const SEARCHED_AT_ONCE = 5_000;

/** Whose dead letters are looked for. */
interface LetterSubject {
  fleetId: string;
  driverId: string;
  /** The pipeline's ids of the trips that are the driver's now. */
  sourceTripIds: ReadonlySet<string>;
}

/** Dead letters that go with a driver, by id, ascending. */
export interface LettersAbout {
  about: number[];
  /** Those of which nobody can tell whom they are about. */
  unclear: number[];
  /** The newest dead letter. Those after it have not been looked at. */
  last: number;
}

const LAST_LETTER = statement('erasure-last-dead-letter', { id: number })`
  SELECT coalesce(max(dead_letter_id), 0) AS id FROM log.dead_letter`;

/**
 * The dead letters that still have bytes and may be of the fleet. Left out is what is of another fleet for sure: its fleet
 * was checked before the fault was met, and nothing spells this one's id, be it with escapes.
 */
const LIST_LETTERS = statement('erasure-list-dead-letters', { id: number })`
  SELECT dead_letter_id AS id FROM log.dead_letter
  WHERE dead_letter_id > $1 AND dead_letter_id <= $2 AND raw IS NOT NULL
    AND (field IN ('/kind', '/fleet_id')
      OR reason IN ('record_too_large', 'invalid_utf8', 'invalid_json', 'not_an_object', 'unknown_kind')
      OR position($3::bytea IN raw) > 0 OR position('\\x5c'::bytea IN raw) > 0)
  ORDER BY dead_letter_id`;

/** One at a time, as each may have megabytes. */
const READ_LETTER = statement('erasure-read-dead-letter', { raw: present(bytes) })`
  SELECT raw FROM log.dead_letter WHERE dead_letter_id = $1 AND raw IS NOT NULL`;

/** In the order of everybody who settles dead letters: in any other, the two could wait for each other. */
const LOCK_LETTERS = statement('erasure-lock-dead-letters')`
  SELECT FROM log.dead_letter WHERE dead_letter_id = ANY($1::bigint[])
  ORDER BY source_id, source_offset, dead_letter_id FOR UPDATE`;

/** The message quotes from the record, as may the operator's note. */
const REDACT_LETTERS = statement('redact-dead-letters')`
  UPDATE log.dead_letter SET raw = NULL, message = 'The driver was erased.', note = 'Its bytes were removed, as the driver was erased.',
    resolution = coalesce(resolution, 'discarded'), resolved_at = coalesce(resolved_at, now())
  WHERE dead_letter_id = ANY($1::bigint[])`;

/** Whether a record's bytes are about the driver, or about a trip of the driver's; `unclear` when nobody can tell. Exported for tests. */
export function isAbout(raw: Uint8Array, { fleetId, driverId, sourceTripIds }: LetterSubject): boolean | 'unclear' {
  const named = namesIn(raw);
  if (named === 'unclear') return named;
  if (named.fleets !== 'any' && !named.fleets.includes(fleetId)) return false;
  return named.drivers.includes(driverId) || named.trips.some((trip) => sourceTripIds.has(trip));
}

/** The dead letters that go with a driver among those after the one given, settled ones too. */
export async function findLettersAbout(
  transaction: Transaction,
  subject: LetterSubject,
  after: number,
): Promise<LettersAbout> {
  const [newest] = await transaction.rows(LAST_LETTER);
  const found: LettersAbout = { about: [], unclear: [], last: newest?.id ?? 0 };
  const fleet = Buffer.from(subject.fleetId);
  for (let from = after; from < found.last; from += SEARCHED_AT_ONCE) {
    const range = [from, Math.min(from + SEARCHED_AT_ONCE, found.last)];
    for (const { id } of await transaction.rows(LIST_LETTERS, [...range, fleet])) {
      const [letter] = await transaction.rows(READ_LETTER, [id]);
      const isOf = letter !== undefined && isAbout(letter.raw, subject);
      if (isOf !== false) found[isOf === true ? 'about' : 'unclear'].push(id);
    }
  }
  return found;
}

/** Locks dead letters until the transaction ends. */
export async function lockLetters(transaction: Transaction, ids: readonly number[]): Promise<void> {
  await transaction.execute(LOCK_LETTERS, [ids]);
}

/** Takes everything out of dead letters but where they came from, when, and for what reason. Open ones are settled. */
export async function redactLetters(transaction: Transaction, ids: readonly number[]): Promise<void> {
  await transaction.execute(REDACT_LETTERS, [ids]);
}
