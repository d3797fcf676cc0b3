import { dateOf } from '@milepost/domain/calendar';
import type { Transaction } from '@milepost/postgres';
import type { TracedDeadLetter } from './schemas.ts';
import { LETTER_BYTES, MORE_LETTERS, NAMING_LETTERS } from './statements.ts';

function escaped(text: string, digits: (code: string) => string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${digits(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`);
}

/**
 * The ways in which JSON writers put an id between quotes: as it is, or with \u escapes for all that is not ASCII (in
 * either case of digits), and with or without a backslash before a slash. An odd one, such as \u0041 for A, is not among
 * them.
 *
 * Exported for tests.
 */
export function spellingsOf(id: string): Buffer[] {
  const plain = JSON.stringify(id);
  const texts = [plain, escaped(plain, (code) => code), escaped(plain, (code) => code.toUpperCase())];
  const all = new Set(texts.flatMap((text) => [text, text.replaceAll('/', '\\/')]));
  return [...all].map((text) => Buffer.from(text));
}

type Fields = Readonly<Record<string, unknown>>;

/** What dead letters are looked for: those of a driver's day, of trips, or of both. */
export interface Subject {
  fleetId: string;
  sourceTripIds: ReadonlySet<string>;
  /** The driver, and the UTC day `YYYY-MM-DD` that a trip must be of; what has no readable day counts as well. */
  driverDay: { driverId: string; date: string } | null;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf(raw: Buffer): Fields | null {
  try {
    const json: unknown = JSON.parse(raw.toString('utf8'));
    return isObject(json) ? json : null;
  } catch {
    return null;
  }
}

function dayOf(time: unknown): string | null {
  try {
    return typeof time === 'number' ? dateOf(time) : null;
  } catch {
    return null;
  }
}

/**
 * Whether a record that holds the subject's ids somewhere is about it: `parsed` when its own fields say so, `text` when it
 * cannot be read and so only its text speaks for it, null when its fields say otherwise.
 *
 * Exported for tests.
 */
export function matchOf(raw: Buffer, { fleetId, sourceTripIds, driverDay }: Subject): 'parsed' | 'text' | null {
  const fields = fieldsOf(raw);
  if (fields === null) return 'text';
  if (fields['fleet_id'] !== fleetId) return null;
  const sourceTripId = fields['source_trip_id'];
  if (typeof sourceTripId === 'string' && sourceTripIds.has(sourceTripId)) return 'parsed';
  if (driverDay === null || fields['driver_id'] !== driverDay.driverId) return null;
  const day = dayOf(fields['trip_start_time']);
  return day === null || day === driverDay.date ? 'parsed' : null;
}

const SEARCHED_LETTERS = 20_000;
const LIMIT_LETTERS = 500;

/**
 * The dead letters about a subject, settled ones too, oldest first. `complete` is false when there are more than are
 * searched or shown: the newest 20,000, and of these 500.
 */
export async function findDeadLettersAbout(
  transaction: Transaction,
  subject: Subject,
): Promise<{ letters: TracedDeadLetter[]; complete: boolean }> {
  const ids = [...subject.sourceTripIds, ...(subject.driverDay === null ? [] : [subject.driverDay.driverId])];
  const fleet = Buffer.from(JSON.stringify(subject.fleetId));
  const values = [fleet, ids.flatMap(spellingsOf), SEARCHED_LETTERS, LIMIT_LETTERS + 1];
  const candidates = await transaction.rows(NAMING_LETTERS, values);
  const letters: TracedDeadLetter[] = [];
  for (const candidate of candidates.slice(0, LIMIT_LETTERS)) {
    const [letter] = await transaction.rows(LETTER_BYTES, [candidate.id]);
    const match = matchOf(letter?.raw ?? Buffer.alloc(0), subject);
    if (match !== null) letters.push({ ...candidate, match });
  }
  const [others] = await transaction.rows(MORE_LETTERS, [SEARCHED_LETTERS]);
  return { letters: letters.reverse(), complete: candidates.length <= LIMIT_LETTERS && !others?.more };
}
