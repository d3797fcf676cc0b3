import type { Pool } from '@milepost/postgres';
import { type ExpressionBuilder, Kysely, PostgresDialect, type SqlBool, sql } from 'kysely';
import { FLEET_ID } from '../schemas.ts';
import type { DeadLetter, DeadLetterFilter, DeadLetterGroup } from './schemas.ts';
import type { Tables } from './tables.ts';

/** Most dead letters that one request settles. */
export const MOST_LETTERS = 1_000;

/** Builds queries whose filters depend on what an operator asks for. The pool stays the caller's to close. */
function queryBuilder(pool: Pool): Kysely<Tables> {
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}

type Joined = Tables & { letter: Tables['log.dead_letter']; source: Tables['log.source'] };

/** Dead letters, `letter`, joined with where they came from, `source`. */
function lettersWithSource(pool: Pool) {
  return queryBuilder(pool)
    .selectFrom('log.dead_letter as letter')
    .innerJoin('log.source as source', 'source.source_id', 'letter.source_id');
}

/**
 * Broken bytes are no text for PostgreSQL, so they are searched escaped, which leaves ASCII as it is. The plain search comes
 * first because it is a hundred times cheaper than the pattern.
 */
function namesFleet(fleet: string) {
  // It becomes part of a pattern.
  if (!new RegExp(FLEET_ID).test(fleet)) {
    throw new RangeError(`A fleet id is 1 to 64 of the characters A-Z, a-z, 0-9, _ and -, and "${fleet}" is none.`);
  }
  const pattern = `"fleet_id"\\s*:\\s*"${fleet}"`;
  return sql<SqlBool>`CASE WHEN position(convert_to(${`"${fleet}"`}, 'UTF8') IN letter.raw) > 0
    THEN encode(letter.raw, 'escape') ~ ${pattern} ELSE false END`;
}

/**
 * The condition that a filter stands for, over `lettersWithSource`; with `all`, settled ones too.
 *
 * @throws RangeError for a fleet id that no record may carry
 */
function matching({ reason, source, partition, field, fleet_id, since, until }: DeadLetterFilter, all = false) {
  return (letter: ExpressionBuilder<Joined, 'letter' | 'source'>) =>
    letter.and([
      ...(all ? [] : [letter('letter.resolution', 'is', null)]),
      ...(reason === undefined ? [] : [letter('letter.reason', '=', reason)]),
      ...(source === undefined ? [] : [letter('source.topic', '=', source)]),
      ...(partition === undefined ? [] : [letter('source.partition', '=', partition)]),
      ...(field === undefined
        ? []
        : [sql<SqlBool>`(letter.field = ${field} OR starts_with(letter.field, ${`${field}/`}))`]),
      ...(since === undefined ? [] : [letter('letter.received_at', '>=', new Date(since))]),
      ...(until === undefined ? [] : [letter('letter.received_at', '<', new Date(until))]),
      ...(fleet_id === undefined ? [] : [namesFleet(fleet_id)]),
    ]);
}

/** How many open dead letters match. `pool` acts in the role of the operator or of ingest. */
export async function countOpenDeadLetters(pool: Pool, filter: DeadLetterFilter): Promise<number> {
  const { count } = await lettersWithSource(pool)
    .select((letter) => letter.fn.countAll<number>().as('count'))
    .where(matching(filter))
    .executeTakeFirstOrThrow();
  return count;
}

/** Paths of records have few names; with every index of an array they would be many. */
const MOST_GROUPS = 1_000;

/** Dead letters that match, by reason and field, the largest groups first. `pool` acts in the operator's role. */
export async function groupDeadLetters(pool: Pool, filter: DeadLetterFilter, all: boolean): Promise<DeadLetterGroup[]> {
  const field = sql<string | null>`regexp_replace(letter.field, '/[0-9]+(?=/|$)', '/*', 'g')`;
  return await lettersWithSource(pool)
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
    .limit(MOST_GROUPS)
    .execute();
}

/** The ids of open dead letters that match, by source, then offset, after `skip` of them: at most one request settles so many. */
export async function firstOpenIds(pool: Pool, filter: DeadLetterFilter, skip = 0): Promise<number[]> {
  const rows = await lettersWithSource(pool)
    .select('letter.dead_letter_id as id')
    .where(matching(filter))
    .orderBy('letter.source_id')
    .orderBy('letter.source_offset')
    .orderBy('letter.dead_letter_id')
    .offset(skip)
    .limit(MOST_LETTERS)
    .execute();
  return rows.map(({ id }) => id);
}

export function selectLetters(pool: Pool) {
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
 * @param page at most `limit` of them, all with smaller ids than `before`, where it is given; with `all`, settled ones too
 */
export async function findDeadLetters(
  pool: Pool,
  filter: DeadLetterFilter,
  { limit, before, all = false }: { limit: number; before?: number | undefined; all?: boolean },
): Promise<DeadLetter[]> {
  return await selectLetters(pool)
    .where(matching(filter, all))
    .$if(before !== undefined, (query) => query.where('letter.dead_letter_id', '<', before ?? 0))
    .orderBy('letter.dead_letter_id', 'desc')
    .limit(limit)
    .execute();
}

/**
 * Gives open dead letters up, with a note; the rows and their bytes stay. Those settled before are left as they are.
 *
 * @returns the ids that were discarded, ascending
 */
export async function discardDeadLetters(pool: Pool, ids: readonly number[], note: string): Promise<number[]> {
  const rows = await queryBuilder(pool)
    // Locked in the order in which a retry locks them: in any other, the two could wait for each other.
    .with('open', (query) =>
      query
        .selectFrom('log.dead_letter')
        .select('dead_letter_id')
        .where('dead_letter_id', '=', sql<number>`ANY(${[...ids]}::bigint[])`)
        .where('resolution', 'is', null)
        .orderBy('source_id')
        .orderBy('source_offset')
        .orderBy('dead_letter_id')
        .forUpdate(),
    )
    .updateTable('log.dead_letter')
    .from('open')
    .set({ resolution: 'discarded', resolved_at: sql<Date>`now()`, note })
    .whereRef('log.dead_letter.dead_letter_id', '=', 'open.dead_letter_id')
    .returning('log.dead_letter.dead_letter_id as id')
    .execute();
  return rows.map((row) => row.id).sort((left, right) => left - right);
}
