import { namesIn } from '@milepost/event-log';
import type { Transaction } from '@milepost/postgres';
import { lastLetter, listLettersOfFleet, readLetter } from './sql/dead-letters.ts';

/** Searched by one statement: it unpacks each letter, which takes a tenth of a millisecond. */
const SEARCHED_AT_ONCE = 5_000;

/** Whose dead letters are looked for. */
export interface LetterSubject {
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
}

/** Whether a record's bytes are about the driver, or about a trip of the driver's; `unclear` when nobody can tell. */
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
): Promise<LettersAbout & { last: number }> {
  const found: LettersAbout = { about: [], unclear: [] };
  const last = await lastLetter(transaction);
  for (let from = after; from < last; from += SEARCHED_AT_ONCE) {
    const range = { after: from, through: Math.min(from + SEARCHED_AT_ONCE, last) };
    for (const id of await listLettersOfFleet(transaction, range, subject.fleetId)) {
      const isOf = isAbout(await readLetter(transaction, id), subject);
      if (isOf !== false) found[isOf === true ? 'about' : 'unclear'].push(id);
    }
  }
  return { ...found, last };
}
