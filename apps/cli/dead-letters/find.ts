import type { Pool } from '@milepost/postgres';
import { sql } from 'kysely';
import { queryBuilder } from './database.ts';

export interface DeadLetterFilter {
  reason?: string;
  /** A topic, or `file:` and a file's name. */
  source?: string;
  /** Settled ones too. */
  all?: boolean;
  limit?: number;
}

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
  return queryBuilder(pool)
    .selectFrom('log.dead_letter as letter')
    .innerJoin('log.source as source', 'source.source_id', 'letter.source_id')
    .select([
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

/** The newest dead letters that match, newest first. `pool` acts in the operator's role. */
export async function findDeadLetters(pool: Pool, filter: DeadLetterFilter): Promise<DeadLetter[]> {
  const { reason, source, all = false, limit } = filter;
  return await selection(pool)
    .$if(!all, (query) => query.where('letter.resolution', 'is', null))
    .$if(reason !== undefined, (query) => query.where('letter.reason', '=', reason ?? ''))
    .$if(source !== undefined, (query) => query.where('source.topic', '=', source ?? ''))
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .orderBy('letter.dead_letter_id', 'desc')
    .execute();
}

/** The ids of open dead letters, oldest first, so that a retry keeps the order in which the records came. */
export async function findOpenIds(pool: Pool, reason: string | undefined): Promise<number[]> {
  const rows = await queryBuilder(pool)
    .selectFrom('log.dead_letter')
    .select('dead_letter_id')
    .where('resolution', 'is', null)
    .$if(reason !== undefined, (query) => query.where('reason', '=', reason ?? ''))
    .orderBy('dead_letter_id')
    .execute();
  return rows.map((row) => row.dead_letter_id);
}

/** One dead letter with the bytes of its record. Throws when there is none with this id. */
export async function getDeadLetter(pool: Pool, id: number): Promise<DeadLetter & { raw: Buffer | null }> {
  const letter = await selection(pool).select('letter.raw').where('letter.dead_letter_id', '=', id).executeTakeFirst();
  if (!letter) throw new Error(`There is no dead letter ${id}: \`milepost dead-letters list --all\` shows them.`);
  return letter;
}
