import { column, columns, type Pool, type RowOf } from '@milepost/postgres';
import { type ExpressionBuilder, Kysely, PostgresDialect, type SqlBool, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** The columns of a dead letter, except the bytes of the record. */
export const DEAD_LETTER = {
  ...columns('number', 'id', 'partition', 'offset'),
  ...columns('text', 'topic', 'reason', 'message'),
  ...columns('text?', 'field', 'note'),
  raw_bytes: 'number?',
  resolution: column<'retried' | 'duplicate' | 'discarded'>('text?'),
  received_at: 'timestamp',
  resolved_at: 'timestamp?',
} as const;

/** A filter for dead letters. A filter without properties selects all dead letters. */
export interface DeadLetterFilter {
  reason?: string;
  source?: string;
  partition?: number;
  /** The path of a field, which also selects the fields below it. */
  field?: string;
  fleet_id?: string;
  /** RFC 3339; inclusive. */
  since?: string;
  /** RFC 3339; exclusive. */
  until?: string;
}

/** The maximum number of dead letters that one request can settle. */
export const MAX_DEAD_LETTERS = 1_000;

/** Creates a builder for queries whose filters depend on the operator's request. The caller closes the pool. */
function queryBuilder(pool: Pool): Kysely<Tables> {
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}

type Joined = Tables & { letter: Tables['dead_letter']; source: Tables['log_source'] };

/** Selects dead letters (`letter`) with their sources (`source`). */
function deadLettersWithSource(pool: Pool) {
  return queryBuilder(pool)
    .selectFrom('dead_letter as letter')
    .innerJoin('log_source as source', 'source.source_id', 'letter.source_id');
}

/**
 * A letter matches if ingest found the fleet anywhere in the record, or if the record's first 256 KiB contain the
 * fleet. PostgreSQL's text cannot contain invalid bytes, so the bytes are searched in escaped form, which leaves ASCII
 * unchanged. The plain search comes first because it is a hundred times cheaper than the pattern.
 *
 * @param fleet a valid fleet id, which becomes part of a pattern
 */
function namesFleet(fleet: string) {
  const pattern = `"fleet_id"\\s*:\\s*"${fleet}"`;
  return sql<SqlBool>`(coalesce(${fleet} = ANY(letter.fleets), false)
    OR CASE WHEN position(convert_to(${`"${fleet}"`}, 'UTF8') IN letter.raw) > 0
      THEN encode(letter.raw, 'escape') ~ ${pattern} ELSE false END)`;
}

/** Returns a filter's condition for `deadLettersWithSource`. With `all`, settled dead letters match too. */
function matching({ reason, source, partition, field, fleet_id, since, until }: DeadLetterFilter, all = false) {
  return (deadLetter: ExpressionBuilder<Joined, 'letter' | 'source'>) =>
    deadLetter.and([
      ...(all ? [] : [deadLetter('letter.resolution', 'is', null)]),
      ...(reason === undefined ? [] : [deadLetter('letter.reason', '=', reason)]),
      ...(source === undefined ? [] : [deadLetter('source.topic', '=', source)]),
      ...(partition === undefined ? [] : [deadLetter('source.partition', '=', partition)]),
      ...(field === undefined
        ? []
        : [sql<SqlBool>`(letter.field = ${field} OR starts_with(letter.field, ${`${field}/`}))`]),
      ...(since === undefined ? [] : [deadLetter('letter.received_at', '>=', new Date(since))]),
      ...(until === undefined ? [] : [deadLetter('letter.received_at', '<', new Date(until))]),
      ...(fleet_id === undefined ? [] : [namesFleet(fleet_id)]),
    ]);
}

/** Counts the matching open dead letters. `pool` acts as the operator role or the ingest role. */
export async function countOpenDeadLetters(pool: Pool, filter: DeadLetterFilter): Promise<number> {
  const { count } = await deadLettersWithSource(pool)
    .select((deadLetter) => deadLetter.fn.countAll<number>().as('count'))
    .where(matching(filter))
    .executeTakeFirstOrThrow();
  return count;
}

/** The maximum number of groups. Paths have `*` in place of array indexes, which would result in many more groups. */
const MAX_GROUPS = 1_000;

/** Counts dead letters by reason and field, the largest groups first. `pool` acts as the operator role. */
export async function groupDeadLetters(pool: Pool, filter: DeadLetterFilter, all: boolean) {
  const field = sql<string | null>`regexp_replace(letter.field, '/[0-9]+(?=/|$)', '/*', 'g')`;
  return await deadLettersWithSource(pool)
    .select(({ fn }) => [
      'letter.reason',
      field.as('field'),
      fn.countAll<number>().as('dead_letters'),
      fn.min('letter.received_at').as('first_received_at'),
      fn.max('letter.received_at').as('last_received_at'),
      fn.max('letter.dead_letter_id').as('newest_id'),
    ])
    .where(matching(filter, all))
    .groupBy(['letter.reason', field])
    .orderBy('dead_letters', 'desc')
    .orderBy('letter.reason')
    .orderBy('field')
    .limit(MAX_GROUPS)
    .execute();
}

/**
 * Returns the ids of the matching open dead letters, ordered by source and offset. Skips the first `skip` ids and
 * returns at most as many ids as one request can settle.
 */
export async function firstOpenIds(pool: Pool, filter: DeadLetterFilter, skip = 0): Promise<number[]> {
  const rows = await deadLettersWithSource(pool)
    .select('letter.dead_letter_id as id')
    .where(matching(filter))
    .orderBy('letter.source_id')
    .orderBy('letter.source_offset')
    .orderBy('letter.dead_letter_id')
    .offset(skip)
    .limit(MAX_DEAD_LETTERS)
    .execute();
  return rows.map(({ id }) => id);
}

export function selectDeadLetters(pool: Pool) {
  return deadLettersWithSource(pool).select([
    'letter.dead_letter_id as id',
    'letter.received_at',
    'source.topic',
    'source.partition',
    'letter.source_offset as offset',
    'letter.reason',
    'letter.field',
    'letter.message',
    sql<number | null>`octet_length(letter.raw) + letter.rest_bytes`.as('raw_bytes'),
    'letter.resolution',
    'letter.resolved_at',
    'letter.note',
  ]);
}

/**
 * Reads the newest matching dead letters, newest first. `pool` acts as the operator role.
 *
 * @param page at most `limit` dead letters, with ids below `before` if it is given; `all` includes settled ones
 */
export async function findDeadLetters(
  pool: Pool,
  filter: DeadLetterFilter,
  { limit, before, all = false }: { limit: number; before?: number | undefined; all?: boolean },
): Promise<RowOf<typeof DEAD_LETTER>[]> {
  return await selectDeadLetters(pool)
    .where(matching(filter, all))
    .$if(before !== undefined, (query) => query.where('letter.dead_letter_id', '<', before ?? 0))
    .orderBy('letter.dead_letter_id', 'desc')
    .limit(limit)
    .execute();
}

/**
 * Discards open dead letters with a note, but keeps their rows and bytes. Settled dead letters do not change.
 *
 * @returns the discarded ids, ascending
 */
export async function discardDeadLetters(pool: Pool, ids: readonly number[], note: string): Promise<number[]> {
  const rows = await queryBuilder(pool)
    // Locks in the same order as a retry does, because a different order could cause a deadlock.
    .with('open', (query) =>
      query
        .selectFrom('dead_letter')
        .select('dead_letter_id')
        .where('dead_letter_id', '=', sql<number>`ANY(${[...ids]}::bigint[])`)
        .where('resolution', 'is', null)
        .orderBy('source_id')
        .orderBy('source_offset')
        .orderBy('dead_letter_id')
        .forUpdate(),
    )
    .updateTable('dead_letter')
    .from('open')
    .set({ resolution: 'discarded', resolved_at: sql<Date>`now()`, note })
    .whereRef('dead_letter.dead_letter_id', '=', 'open.dead_letter_id')
    .returning('dead_letter.dead_letter_id as id')
    .execute();
  return rows.map((row) => row.id).sort((left, right) => left - right);
}
