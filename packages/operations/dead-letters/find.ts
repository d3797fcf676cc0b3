import type { Pool } from '@milepost/postgres';
import { sql } from 'kysely';
import { type DeadLetterFilter, lettersWithSource, matching } from './filter.ts';

export interface DeadLetter {
  id: number;
  received_at: Date;
  topic: string;
  partition: number;
  offset: number;
  reason: string;
  field: string | null;
  message: string;
  /** Null when the record had no value at all. */
  raw_bytes: number | null;
  resolution: 'retried' | 'duplicate' | 'discarded' | null;
  resolved_at: Date | null;
  note: string | null;
}

function selection(pool: Pool) {
  return lettersWithSource(pool).select([
    'letter.dead_letter_id as id',
    'letter.received_at',
    'source.topic',
    'source.partition',
    'letter.source_offset as offset',
    'letter.reason',
    'letter.field',
    'letter.message',
    sql<number | null>`octet_length(letter.raw)`.as('raw_bytes'),
    'letter.resolution',
    'letter.resolved_at',
    'letter.note',
  ]);
}

/**
 * The newest dead letters that match, newest first. `pool` acts in the operator's role.
 *
 * @param page at most `limit` of them, all with smaller ids than `before`, where it is given
 */
export async function findDeadLetters(
  pool: Pool,
  filter: DeadLetterFilter,
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<DeadLetter[]> {
  return await selection(pool)
    .where(matching(filter))
    .$if(before !== undefined, (query) => query.where('letter.dead_letter_id', '<', before ?? 0))
    .orderBy('letter.dead_letter_id', 'desc')
    .limit(limit)
    .execute();
}

/** One dead letter with the bytes of its record. Throws when there is none with this id. */
export async function getDeadLetter(pool: Pool, id: number): Promise<DeadLetter & { raw: Buffer | null }> {
  const letter = await selection(pool).select('letter.raw').where('letter.dead_letter_id', '=', id).executeTakeFirst();
  if (!letter) throw new Error(`There is no dead letter ${id}: \`milepost dead-letters list --all\` shows them.`);
  return letter;
}
