import { driverNameHash } from '@milepost/event-log/names';
import { statement, type Transaction } from '@milepost/postgres';
import type { ErasedSubject } from '@milepost/projections/engine';

/** The driver whose dead letters are searched, and the hashes of the driver's trips. */
type DeadLetterSubject = Pick<ErasedSubject, 'fleetId' | 'id'> & { trips: readonly { name: string | null }[] };

const LAST_DEAD_LETTER = statement('erasure-last-dead-letter', { id: 'number' })`
  SELECT coalesce(max(dead_letter_id), 0) AS id FROM dead_letter`;

/**
 * Each of the two conditions matches an index, so the letters' bytes are not read. One dead letter can contain hundreds
 * of megabytes.
 */
const FIND_DEAD_LETTERS = statement('erasure-find-dead-letters', { id: 'number', unclear: 'boolean' })`
  SELECT dead_letter_id AS id, false AS unclear FROM dead_letter
  WHERE names && $3::bigint[] AND (fleets IS NULL OR $4 = ANY(fleets))
    AND raw IS NOT NULL AND dead_letter_id > $1 AND dead_letter_id <= $2
  UNION ALL
  SELECT dead_letter_id, true FROM dead_letter
  WHERE raw IS NOT NULL AND names IS NULL AND dead_letter_id > $1 AND dead_letter_id <= $2
  ORDER BY id`;

/**
 * Locks the rows in the order that all code uses for dead letters, because a different order could cause a deadlock.
 */
export const LOCK_DEAD_LETTERS = statement('erasure-lock-dead-letters')`
  SELECT FROM dead_letter WHERE dead_letter_id = ANY($1::bigint[])
  ORDER BY source_id, source_offset, dead_letter_id FOR UPDATE`;

/** A separate statement, because Citus requires it (postgres/citus/README.md). */
const DISCARD_OPEN = statement('discard-open-letters-of-driver')`
  UPDATE dead_letter SET resolution = 'discarded', resolved_at = now()
  WHERE dead_letter_id = ANY($1::bigint[]) AND resolution IS NULL`;

/** Both the message and the operator's note may quote the record. */
const REDACT_DEAD_LETTERS = statement('redact-dead-letters')`
  UPDATE dead_letter SET raw = NULL, rest_bytes = 0, fleets = NULL, names = NULL,
    message = 'The driver was erased.', note = 'Its bytes were removed because the driver was erased.'
  WHERE dead_letter_id = ANY($1::bigint[])`;

const LIST_CHUNKED = statement('list-chunked-dead-letters', { id: 'number' })`
  SELECT DISTINCT dead_letter_id AS id FROM dead_letter_chunk WHERE dead_letter_id = ANY($1::bigint[]) ORDER BY id`;

/**
 * Empties the rows, because the eraser role cannot delete them. Each letter has its own statement, because one
 * statement for all letters could exceed the timeout.
 */
const EMPTY_CHUNKS = statement('empty-dead-letter-chunks')`
  UPDATE dead_letter_chunk SET bytes = '' WHERE dead_letter_id = $1`;

/**
 * Searches the dead letters with ids above `after`, including settled ones, for those about a driver. Returns their ids
 * (`about`) and the ids of dead letters whose drivers cannot be determined (`unclear`), both in ascending order. `last`
 * is the id of the latest dead letter that was searched. Later dead letters have not been searched, so the erasure
 * searches again once it has locked the head.
 */
export async function findDeadLettersAbout(
  transaction: Transaction,
  { fleetId, id, trips }: DeadLetterSubject,
  after: number,
) {
  const { id: last } = await transaction.row(LAST_DEAD_LETTER);
  const hashes = [driverNameHash(id), ...trips.flatMap(({ name }) => name ?? [])];
  const found = await transaction.rows(FIND_DEAD_LETTERS, [after, last, hashes, fleetId]);
  const { about = [], unclear = [] } = Object.groupBy(found, (deadLetter) =>
    deadLetter.unclear ? 'unclear' : 'about',
  );
  return { about: about.map(({ id }) => id), unclear: unclear.map(({ id }) => id), last };
}

export type DeadLettersAbout = Awaited<ReturnType<typeof findDeadLettersAbout>>;

/** Removes everything from dead letters except their source, time and reason. Open dead letters are settled. */
export async function redactDeadLetters(transaction: Transaction, ids: readonly number[]): Promise<void> {
  await transaction.execute(DISCARD_OPEN, [ids]);
  await transaction.execute(REDACT_DEAD_LETTERS, [ids]);
  for (const { id } of await transaction.rows(LIST_CHUNKED, [ids])) await transaction.execute(EMPTY_CHUNKS, [id]);
}
