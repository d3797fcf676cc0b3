import type { Pool } from '@milepost/postgres';
import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { type DeadLetterTables, queryBuilder } from './database.ts';

/** Which open dead letters are meant; all of them where nothing is said. */
export interface OpenDeadLetterFilter {
  /** A reason code. */
  reason?: string;
  /** A topic, or `file:` and a file's name. */
  source?: string;
  /** A topic's partition; of a file, the number of the run that read it. */
  partition?: number;
  /** Path of the offending field, as `/trip_start_time`, or of one above it: `/events` for all of them. */
  field?: string;
  /** A fleet that the record's bytes name as its `fleet_id`, whether or not they are JSON. Reads all bytes otherwise matched. */
  fleet?: string;
  /** Received at this time or later. */
  since?: Date;
  /** Received before this time. */
  until?: Date;
}

export interface DeadLetterFilter extends OpenDeadLetterFilter {
  /** Settled ones too. */
  all?: boolean;
}

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
  const pattern = `"fleet_id"\\s*:\\s*"${fleet}"`;
  return sql<SqlBool>`CASE WHEN position(convert_to(${`"${fleet}"`}, 'UTF8') IN letter.raw) > 0
    THEN encode(letter.raw, 'escape') ~ ${pattern} ELSE false END`;
}

/**
 * The condition that a filter stands for, over `lettersWithSource`.
 *
 * @throws RangeError for a fleet id that no record may carry
 */
export function matching(filter: DeadLetterFilter) {
  const { reason, source, partition, field, fleet, since, until, all = false } = filter;
  // It becomes part of a pattern.
  if (fleet !== undefined && !/^[A-Za-z0-9_-]{1,64}$/.test(fleet)) {
    throw new RangeError(`A fleet id is 1 to 64 of the characters A-Z, a-z, 0-9, _ and -, and "${fleet}" is none.`);
  }
  return (letter: ExpressionBuilder<Tables, 'letter' | 'source'>) =>
    letter.and([
      ...(all ? [] : [letter('letter.resolution', 'is', null)]),
      ...(reason === undefined ? [] : [letter('letter.reason', '=', reason)]),
      ...(source === undefined ? [] : [letter('source.topic', '=', source)]),
      ...(partition === undefined ? [] : [letter('source.partition', '=', partition)]),
      ...(field === undefined
        ? []
        : [sql<SqlBool>`(letter.field = ${field} OR starts_with(letter.field, ${`${field}/`}))`]),
      ...(since === undefined ? [] : [letter('letter.received_at', '>=', since)]),
      ...(until === undefined ? [] : [letter('letter.received_at', '<', until)]),
      ...(fleet === undefined ? [] : [namesFleet(fleet)]),
    ]);
}
