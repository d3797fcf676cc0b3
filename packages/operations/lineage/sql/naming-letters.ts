import type { Statement, Transaction } from '@milepost/postgres';
import type { DeadLetter } from '../../dead-letters/resource.ts';

/**
 * The bytes are concatenated with nothing so that they are unpacked once for each letter and not once for each search, and
 * OFFSET 0 keeps the planner from undoing that. Only the newest letters are searched: it takes 0.1 ms for each.
 */
const NAMING_LETTERS: Statement = {
  name: 'lineage-naming-letters',
  text: `SELECT letter.dead_letter_id AS id, letter.received_at, source.topic, source.partition,
           letter.source_offset AS "offset", letter.reason, letter.field, letter.message,
           octet_length(letter.raw) AS raw_bytes, letter.resolution, letter.resolved_at, letter.note
         FROM (SELECT * FROM log.dead_letter ORDER BY dead_letter_id DESC LIMIT $3) letter
         JOIN log.source source USING (source_id)
         CROSS JOIN LATERAL (SELECT letter.raw || ''::bytea AS bytes OFFSET 0) unpacked
         WHERE position($1::bytea IN unpacked.bytes) > 0
           AND EXISTS (SELECT FROM unnest($2::bytea[]) AS spelling WHERE position(spelling IN unpacked.bytes) > 0)
         ORDER BY letter.dead_letter_id DESC LIMIT $4`,
};

const LETTER_BYTES: Statement = {
  name: 'lineage-letter-bytes',
  text: 'SELECT raw FROM log.dead_letter WHERE dead_letter_id = $1',
};

const MORE_LETTERS: Statement = {
  name: 'lineage-more-letters',
  text: 'SELECT EXISTS (SELECT FROM log.dead_letter OFFSET $1) AS more',
};

/** Whether there are more dead letters than `count`. */
export async function hasMoreLetters(transaction: Transaction, count: number): Promise<boolean> {
  const [row] = await transaction.rows<{ more: boolean }>(MORE_LETTERS, [count]);
  return row?.more ?? false;
}

/** The newest dead letters, settled ones too, whose bytes hold the fleet and one of the spellings; newest first. */
export async function findNamingLetters(
  transaction: Transaction,
  { fleet, spellings, searched, limit }: { fleet: Buffer; spellings: Buffer[]; searched: number; limit: number },
): Promise<DeadLetter[]> {
  return await transaction.rows<DeadLetter>(NAMING_LETTERS, [fleet, spellings, searched, limit]);
}

/** The bytes of one dead letter; one at a time, as each may have megabytes. */
export async function readLetterBytes(transaction: Transaction, id: number): Promise<Buffer> {
  const [letter] = await transaction.rows<{ raw: Buffer | null }>(LETTER_BYTES, [id]);
  return letter?.raw ?? Buffer.alloc(0);
}
