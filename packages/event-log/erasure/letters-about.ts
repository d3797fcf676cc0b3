import type { Transaction } from '@milepost/postgres';
import { lastLetter, listLettersOfFleet, readLetter } from './sql/dead-letters.ts';

/** Searched by one statement: it unpacks each letter, which takes a tenth of a millisecond. */
const SEARCHED_AT_ONCE = 5_000;

/** Whose dead letters are looked for. */
export interface LetterSubject {
  fleetId: string;
  driverId: string;
  /** The pipeline's ids of the driver's trips, by which a record without a driver is known. */
  sourceTripIds: ReadonlySet<string>;
}

function fieldsOf(raw: Buffer): Record<string, unknown> | null {
  try {
    const json: unknown = JSON.parse(raw.toString('utf8'));
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : null;
  } catch {
    return null;
  }
}

/** Whether bytes that are no JSON object hold an id between quotes, as it is or as JSON writes it. */
function spells(raw: Buffer, id: string): boolean {
  const plain = JSON.stringify(id);
  const escaped = plain.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [`"${id}"`, plain, escaped, plain.replaceAll('/', '\\/')].some((spelling) => raw.includes(spelling));
}

/** Whether a record's bytes are about the driver. What cannot be read is, if it holds one of the ids. */
export function isAbout(raw: Buffer, { fleetId, driverId, sourceTripIds }: LetterSubject): boolean {
  const fields = fieldsOf(raw);
  if (fields === null) return [driverId, ...sourceTripIds].some((id) => spells(raw, id));
  if (fields['fleet_id'] !== fleetId) return false;
  const named = fields['driver_id'];
  // A wrong type is a reason to refuse a record, and no reason for it to be about somebody else.
  if (named !== undefined && named !== null) return String(named) === driverId;
  return sourceTripIds.has(String(fields['source_trip_id']));
}

/** The dead letters about a driver among those after the one given, settled ones too; ascending. */
export async function findLettersAbout(
  transaction: Transaction,
  subject: LetterSubject,
  after: number,
): Promise<{ letters: number[]; last: number }> {
  const letters: number[] = [];
  const last = await lastLetter(transaction);
  for (let from = after; from < last; from += SEARCHED_AT_ONCE) {
    const range = { after: from, through: Math.min(from + SEARCHED_AT_ONCE, last) };
    for (const id of await listLettersOfFleet(transaction, range, subject.fleetId)) {
      if (isAbout(await readLetter(transaction, id), subject)) letters.push(id);
    }
  }
  return { letters, last };
}
