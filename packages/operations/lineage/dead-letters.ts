import type { Transaction } from '@milepost/postgres';
import { matchOf, type Subject } from './naming.ts';
import type { TracedDeadLetter } from './resource.ts';
import { spellingsOf } from './spellings.ts';
import { findNamingLetters, hasMoreLetters, readLetterBytes } from './sql/naming-letters.ts';

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
  const candidates = await findNamingLetters(transaction, {
    fleet: Buffer.from(JSON.stringify(subject.fleetId)),
    spellings: ids.flatMap(spellingsOf),
    searched: SEARCHED_LETTERS,
    limit: LIMIT_LETTERS + 1,
  });
  const letters: TracedDeadLetter[] = [];
  for (const candidate of candidates.slice(0, LIMIT_LETTERS)) {
    const match = matchOf(await readLetterBytes(transaction, candidate.id), subject);
    if (match !== null) letters.push({ ...candidate, match });
  }
  const complete = candidates.length <= LIMIT_LETTERS && !(await hasMoreLetters(transaction, SEARCHED_LETTERS));
  return { letters: letters.reverse(), complete };
}
