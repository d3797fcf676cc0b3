import type { Pool } from '@milepost/postgres';
import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { FLEET_ID } from '../schemas.ts';
import { type DeadLetterTables, queryBuilder } from './database.ts';
import type { DeadLetterFilter } from './resource.ts';

type Tables = DeadLetterTables & {
  letter: DeadLetterTables['log.dead_letter'];
  source: DeadLetterTables['log.source'];
};

/** Dead letters, `letter`, joined with where they came from, `source`. */
export function lettersWithSource(pool: Pool) {
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
export function matching({ reason, source, partition, field, fleet_id, since, until }: DeadLetterFilter, all = false) {
  return (letter: ExpressionBuilder<Tables, 'letter' | 'source'>) =>
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
