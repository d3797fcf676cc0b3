import { readChunks } from '@milepost/event-log';
import {
  bytes,
  nullable,
  number,
  type Pool,
  query,
  type RowOf,
  statement,
  text,
  textOf,
  timestamp,
  unprepared,
} from '@milepost/postgres';

/** The columns of a dead letter, except the bytes of the record. */
export const DEAD_LETTER = {
  id: number,
  received_at: timestamp,
  topic: text,
  partition: number,
  offset: number,
  reason: text,
  field: nullable(text),
  message: text,
  raw_bytes: nullable(number),
  resolution: nullable(textOf<'retried' | 'duplicate' | 'discarded'>()),
  resolved_at: nullable(timestamp),
  note: nullable(text),
};

/** SQL expressions for the columns of DEAD_LETTER, in a query on `letter` and its source. */
export const DEAD_LETTER_COLUMNS = `letter.dead_letter_id AS id, letter.received_at, source.topic, source.partition,
  letter.source_offset AS "offset", letter.reason, letter.field, letter.message,
  octet_length(letter.raw) + letter.rest_bytes AS raw_bytes, letter.resolution, letter.resolved_at, letter.note`;

const LETTERS_WITH_SOURCES = 'dead_letter letter JOIN log_source source USING (source_id)';

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

const FLEET_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The maximum number of dead letters that one request can settle. */
export const MAX_DEAD_LETTERS = 1_000;

/**
 * A letter matches if ingest found the fleet anywhere in the record, or if the record's first 256 KiB contain the
 * fleet. PostgreSQL's text cannot contain invalid bytes, so the bytes are searched in escaped form, which leaves ASCII
 * unchanged. The plain search comes first because it is a hundred times cheaper than the pattern.
 */
const namesFleet = (fleet: string) => `(coalesce(${fleet}::text = ANY(letter.fleets), false)
  OR CASE WHEN position(convert_to('"' || ${fleet}::text || '"', 'UTF8') IN letter.raw) > 0
    THEN encode(letter.raw, 'escape') ~ ('"fleet_id"\\s*:\\s*"' || ${fleet}::text || '"') ELSE false END)`;

/**
 * Returns SQL for the dead letters (`letter`) that match a filter, with their sources (`source`), and the values of its
 * parameters. With `all`, settled dead letters match too. With `before`, only dead letters with lower ids match.
 *
 * @throws RangeError for a fleet id that no record can have
 */
function fromMatching(filter: DeadLetterFilter, all = false, before?: number) {
  const { reason, source, partition, field, fleet_id, since, until } = filter;
  // The id becomes part of a pattern.
  if (fleet_id !== undefined && !FLEET_ID.test(fleet_id)) {
    throw new RangeError(`A fleet id must have 1 to 64 characters from A-Z, a-z, 0-9, _ and -, but is "${fleet_id}".`);
  }
  const conditions: [value: unknown, condition: (value: string) => string][] = [
    [reason, (value) => `letter.reason = ${value}`],
    [source, (value) => `source.topic = ${value}`],
    [partition, (value) => `source.partition = ${value}`],
    [field, (value) => `(letter.field = ${value} OR starts_with(letter.field, ${value} || '/'))`],
    [since && new Date(since), (value) => `letter.received_at >= ${value}`],
    [until && new Date(until), (value) => `letter.received_at < ${value}`],
    [before, (value) => `letter.dead_letter_id < ${value}`],
    [fleet_id, namesFleet],
  ];
  const given = conditions.filter(([value]) => value !== undefined);
  const where = [all ? 'true' : 'letter.resolution IS NULL', ...given.map(([, sql], index) => sql(`$${index + 1}`))];
  return {
    sql: `FROM ${LETTERS_WITH_SOURCES} WHERE ${where.join(' AND ')}`,
    values: given.map(([value]) => value),
  };
}

/** Counts the matching open dead letters. `pool` acts as the operator role or the ingest role. */
export async function countOpenDeadLetters(pool: Pool, filter: DeadLetterFilter): Promise<number> {
  const { sql, values } = fromMatching(filter);
  const [row] = await unprepared(pool, { count: number }, `SELECT count(*) AS count ${sql}`, values);
  return row?.count ?? 0;
}

/** The maximum number of groups. Array indexes are removed from the paths, because they would make many more groups. */
const MAX_GROUPS = 1_000;

const GROUP = {
  reason: text,
  field: nullable(text),
  dead_letters: number,
  first_received_at: timestamp,
  last_received_at: timestamp,
  newest_id: number,
};

/** Counts dead letters by reason and field, the largest groups first. `pool` acts as the operator role. */
export async function groupDeadLetters(pool: Pool, filter: DeadLetterFilter, all: boolean) {
  const { sql, values } = fromMatching(filter, all);
  const groups = `SELECT letter.reason, regexp_replace(letter.field, '/[0-9]+(?=/|$)', '/*', 'g') AS field,
      count(*) AS dead_letters, min(letter.received_at) AS first_received_at,
      max(letter.received_at) AS last_received_at, max(letter.dead_letter_id) AS newest_id
    ${sql} GROUP BY 1, 2 ORDER BY dead_letters DESC, 1, 2 LIMIT ${MAX_GROUPS}`;
  return await unprepared(pool, GROUP, groups, values);
}

/**
 * Returns the ids of the matching open dead letters, ordered by source and offset. Skips the first `skip` ids and
 * returns at most as many ids as one request can settle.
 */
export async function firstOpenIds(pool: Pool, filter: DeadLetterFilter, skip = 0): Promise<number[]> {
  const { sql, values } = fromMatching(filter);
  const ids = `SELECT letter.dead_letter_id AS id ${sql}
    ORDER BY letter.source_id, letter.source_offset, letter.dead_letter_id LIMIT ${MAX_DEAD_LETTERS} OFFSET ${skip}`;
  return (await unprepared(pool, { id: number }, ids, values)).map(({ id }) => id);
}

/**
 * Reads the newest matching dead letters, newest first. `pool` acts as the operator role.
 *
 * @param page at most `limit` dead letters, with ids below `before` if it is given; `all` includes settled ones
 */
export async function findDeadLetters(
  pool: Pool,
  filter: DeadLetterFilter,
  { limit, before, all }: { limit: number; before?: number | undefined; all?: boolean },
): Promise<RowOf<typeof DEAD_LETTER>[]> {
  const { sql, values } = fromMatching(filter, all, before);
  const newest = `SELECT ${DEAD_LETTER_COLUMNS} ${sql} ORDER BY letter.dead_letter_id DESC LIMIT ${limit}`;
  return await unprepared(pool, DEAD_LETTER, newest, values);
}

const READ_DEAD_LETTER = statement('read-dead-letter', { ...DEAD_LETTER, raw: nullable(bytes) })`
  SELECT ${DEAD_LETTER_COLUMNS}, letter.raw FROM ${LETTERS_WITH_SOURCES} WHERE letter.dead_letter_id = $1`;

/**
 * Reads a dead letter, with the first bytes of its record in `raw`. Returns null when it does not exist. `pool` acts as
 * the operator role.
 */
export async function readDeadLetter(pool: Pool, id: number): Promise<RowOf<typeof READ_DEAD_LETTER> | null> {
  const [deadLetter] = await query(pool, READ_DEAD_LETTER, [id]);
  return deadLetter ?? null;
}

/**
 * Opens a dead letter's record. `byteLength` is 0 when the record had no value at all or its driver has been erased.
 * Each chunk is read on demand, so only one is in memory at a time, regardless of the record's size.
 *
 * @param pool connections made as the operator role
 * @returns null when the dead letter does not exist
 */
export async function openRecord(pool: Pool, id: number) {
  const deadLetter = await readDeadLetter(pool, id);
  if (deadLetter === null) return null;
  const byteLength = deadLetter.raw_bytes ?? 0;
  return { byteLength, chunks: chunksOf(pool, id, deadLetter.raw, byteLength) };
}

async function* chunksOf(pool: Pool, id: number, raw: Buffer | null, byteLength: number): AsyncGenerator<Buffer> {
  if (raw === null) return;
  yield raw;
  yield* readChunks(pool, id, byteLength - raw.byteLength);
}

/** Locks the rows in the same order as a retry does, because a different order could cause a deadlock. */
const DISCARD = statement('discard-dead-letters', { id: number })`
  WITH open AS (
    SELECT dead_letter_id FROM dead_letter WHERE dead_letter_id = ANY($1::bigint[]) AND resolution IS NULL
    ORDER BY source_id, source_offset, dead_letter_id FOR UPDATE)
  UPDATE dead_letter SET resolution = 'discarded', resolved_at = now(), note = $2
  FROM open WHERE dead_letter.dead_letter_id = open.dead_letter_id RETURNING dead_letter.dead_letter_id AS id`;

/**
 * Discards open dead letters with a note, but keeps their rows and bytes. Settled dead letters do not change.
 *
 * @returns the discarded ids, ascending
 */
export async function discardDeadLetters(pool: Pool, ids: readonly number[], note: string): Promise<number[]> {
  const rows = await query(pool, DISCARD, [ids, note]);
  return rows.map(({ id }) => id).sort((left, right) => left - right);
}
