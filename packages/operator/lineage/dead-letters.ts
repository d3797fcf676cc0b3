import { dateOf } from '@milepost/domain/calendar';
import { isUncheckedObject, type UncheckedObject } from '@milepost/domain/records';
import { driverNameHash, tripNameHash } from '@milepost/event-log/names';
import type { Transaction } from '@milepost/postgres';
import { DEAD_LETTER_BYTES, MORE_DEAD_LETTERS, NAMING_DEAD_LETTERS, type NamingDeadLetter } from './statements.ts';

function escaped(text: string, digits: (code: string) => string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${digits(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`);
}

/**
 * Returns the JSON spellings of an id between quotes. Characters outside ASCII are either plain or \u escapes with hex
 * digits in upper or lower case, and a slash may be escaped as \/. Unusual spellings, such as \u0041 for A, are not
 * included. Exported for tests.
 */
export function spellingsOf(id: string): Buffer[] {
  const plain = JSON.stringify(id);
  const texts = [plain, escaped(plain, (code) => code), escaped(plain, (code) => code.toUpperCase())];
  const all = new Set(texts.flatMap((text) => [text, text.replaceAll('/', '\\/')]));
  return [...all].map((text) => Buffer.from(text));
}

interface TracedDeadLetter extends NamingDeadLetter {
  /** `parsed` if the record's fields name the subject; `text` if it is not a JSON object but contains the ids. */
  match: 'parsed' | 'text';
}

/** The subject of a search for dead letters: a driver's day, trips, or both. */
export interface Subject {
  fleetId: string;
  sourceTripIds: ReadonlySet<string>;
  /** The driver, and the UTC day `YYYY-MM-DD` of the trips. A record without a readable day also matches. */
  driverDay: { driverId: string; date: string } | null;
}

function fieldsOf(raw: Buffer): UncheckedObject | null {
  try {
    const json: unknown = JSON.parse(raw.toString('utf8'));
    return isUncheckedObject(json) ? json : null;
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
 * Returns the kind of match for a record that contains the subject's ids: `parsed` if its fields name the subject, or
 * `text` if it cannot be parsed. Returns null if its fields name another subject. Exported for tests.
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

const MAX_SEARCHED_DEAD_LETTERS = 20_000;
const MAX_DEAD_LETTERS = 500;

/**
 * Finds the dead letters about a subject, oldest first, including settled ones. Searches the latest 20,000 dead letters
 * and returns up to 500. If there are more, `complete` is false.
 */
export async function findDeadLettersAbout(
  transaction: Transaction,
  subject: Subject,
): Promise<{ deadLetters: TracedDeadLetter[]; complete: boolean }> {
  const { fleetId, sourceTripIds } = subject;
  const driverIds = subject.driverDay === null ? [] : [subject.driverDay.driverId];
  const fleet = Buffer.from(JSON.stringify(fleetId));
  const spellings = [...sourceTripIds, ...driverIds].flatMap(spellingsOf);
  const names = [...driverIds.map(driverNameHash), ...[...sourceTripIds].map(tripNameHash)];
  const values = [fleet, spellings, MAX_SEARCHED_DEAD_LETTERS, MAX_DEAD_LETTERS + 1, names, fleetId];
  const candidates = await transaction.rows(NAMING_DEAD_LETTERS, values);
  const deadLetters: TracedDeadLetter[] = [];
  for (const candidate of candidates.slice(0, MAX_DEAD_LETTERS)) {
    const [deadLetter] = await transaction.rows(DEAD_LETTER_BYTES, [candidate.id]);
    const match = matchOf(deadLetter?.raw ?? Buffer.alloc(0), subject);
    if (match !== null) deadLetters.push({ ...candidate, match });
  }
  const { more } = await transaction.row(MORE_DEAD_LETTERS, [MAX_SEARCHED_DEAD_LETTERS]);
  return { deadLetters: deadLetters.reverse(), complete: candidates.length <= MAX_DEAD_LETTERS && !more };
}
