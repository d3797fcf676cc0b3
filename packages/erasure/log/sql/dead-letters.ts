import type { Statement, Transaction } from '@milepost/postgres';

const LAST_LETTER: Statement = {
  name: 'erasure-last-dead-letter',
  text: 'SELECT coalesce(max(dead_letter_id), 0) AS id FROM log.dead_letter',
};

/** The newest dead letter's id, 0 when there is none. */
export async function lastLetter(transaction: Transaction): Promise<number> {
  const [last] = await transaction.rows<{ id: number }>(LAST_LETTER);
  return last?.id ?? 0;
}

/**
 * Left out is what is of another fleet for sure: its fleet was checked before the fault was met, and nothing spells this
 * one's id, be it with escapes.
 */
const LIST_LETTERS: Statement = {
  name: 'erasure-list-dead-letters',
  text: `SELECT dead_letter_id AS id FROM log.dead_letter
         WHERE dead_letter_id > $1 AND dead_letter_id <= $2 AND raw IS NOT NULL
           AND (field IN ('/kind', '/fleet_id')
             OR reason IN ('record_too_large', 'invalid_utf8', 'invalid_json', 'not_an_object', 'unknown_kind')
             OR position($3::bytea IN raw) > 0 OR position('\\x5c'::bytea IN raw) > 0)
         ORDER BY dead_letter_id`,
};

/** The dead letters of a range of ids that still have bytes and may be of the fleet; ascending. */
export async function listLettersOfFleet(
  transaction: Transaction,
  range: { after: number; through: number },
  fleetId: string,
): Promise<number[]> {
  const values = [range.after, range.through, Buffer.from(fleetId)];
  const rows = await transaction.rows<{ id: number }>(LIST_LETTERS, values);
  return rows.map((row) => row.id);
}

const READ_LETTER: Statement = {
  name: 'erasure-read-dead-letter',
  text: 'SELECT raw FROM log.dead_letter WHERE dead_letter_id = $1',
};

/** One dead letter's bytes; one at a time, as each may have megabytes. */
export async function readLetter(transaction: Transaction, id: number): Promise<Buffer> {
  const [letter] = await transaction.rows<{ raw: Buffer | null }>(READ_LETTER, [id]);
  return letter?.raw ?? Buffer.alloc(0);
}

/** In the order of everybody who settles dead letters: in any other, the two could wait for each other. */
const LOCK_LETTERS: Statement = {
  name: 'erasure-lock-dead-letters',
  text: `SELECT FROM log.dead_letter WHERE dead_letter_id = ANY($1::bigint[])
         ORDER BY source_id, source_offset, dead_letter_id FOR UPDATE`,
};

/** Locks dead letters until the transaction ends. */
export async function lockLetters(transaction: Transaction, ids: readonly number[]): Promise<void> {
  await transaction.execute(LOCK_LETTERS, [ids]);
}

/** The message quotes from the record, as may the operator's note. */
const REDACT_LETTERS: Statement = {
  name: 'redact-dead-letters',
  text: `UPDATE log.dead_letter SET raw = NULL, message = 'The driver was erased.', note = 'Its bytes were removed, as the driver was erased.',
           resolution = coalesce(resolution, 'discarded'), resolved_at = coalesce(resolved_at, now())
         WHERE dead_letter_id = ANY($1::bigint[])`,
};

/** Takes everything out of dead letters but where they came from, when, and for what reason. Open ones are settled. */
export async function redactLetters(transaction: Transaction, ids: readonly number[]): Promise<void> {
  await transaction.execute(REDACT_LETTERS, [ids]);
}
