import { readChunks } from '@milepost/event-log/read-chunks';
import { column, columns, type Pool, query, type RowOf, statement } from '@milepost/postgres';

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

/** SQL expressions for the columns of `DEAD_LETTER`, of a dead letter (`letter`) with its source (`source`). */
export const DEAD_LETTER_COLUMNS = `letter.dead_letter_id AS id, letter.received_at, source.topic, source.partition,
    letter.source_offset AS "offset", letter.reason, letter.field, letter.message,
    octet_length(letter.raw) + letter.rest_bytes AS raw_bytes, letter.resolution, letter.resolved_at, letter.note`;

/** A filter for dead letters. A filter without properties selects all dead letters. */
export interface DeadLetterFilter {
  reason?: string;
  source?: string;
  partition?: number;
  /** The path of a field, which also selects the fields below it. */
  field?: string;
  /** A valid fleet id, which becomes part of a pattern. */
  fleet_id?: string;
  /** RFC 3339; inclusive. */
  since?: string;
  /** RFC 3339; exclusive. */
  until?: string;
}

/** The maximum number of dead letters that one request can settle. */
export const MAX_DEAD_LETTERS = 1_000;

/**
 * SQL that selects the dead letters that match a filter, whose values are `$1` to `$7`; a null value selects all.
 *
 * A letter matches a fleet if ingest found the fleet anywhere in the record, or if the record's first 256 KiB contain
 * the fleet. PostgreSQL's text cannot contain invalid bytes, so the bytes are searched in escaped form, which leaves
 * ASCII unchanged. The plain search comes first because it is a hundred times cheaper than the pattern.
 */
const MATCHING = `
  FROM dead_letter letter JOIN log_source source USING (source_id)
  WHERE ($1::text IS NULL OR letter.reason = $1)
    AND ($2::text IS NULL OR source.topic = $2)
    AND ($3::integer IS NULL OR source.partition = $3)
    AND ($4::text IS NULL OR letter.field = $4 OR starts_with(letter.field, $4 || '/'))
    AND ($5::timestamptz IS NULL OR letter.received_at >= $5)
    AND ($6::timestamptz IS NULL OR letter.received_at < $6)
    AND ($7::text IS NULL OR $7 = ANY(letter.fleets)
      OR CASE WHEN position(convert_to('"' || $7 || '"', 'UTF8') IN letter.raw) > 0
        THEN encode(letter.raw, 'escape') ~ ('"fleet_id"\\s*:\\s*"' || $7 || '"') ELSE false END)`;

function valuesOf({ reason, source, partition, field, since, until, fleet_id }: DeadLetterFilter): unknown[] {
  return [reason, source, partition, field, since && new Date(since), until && new Date(until), fleet_id];
}

const COUNT_OPEN = statement('count-open-dead-letters', { count: 'number' })`
  SELECT count(*) AS count ${MATCHING} AND letter.resolution IS NULL`;

/** Counts the matching open dead letters. `pool` acts as the operator role or the ingest role. */
export async function countOpenDeadLetters(pool: Pool, filter: DeadLetterFilter): Promise<number> {
  const [row] = await query(pool, COUNT_OPEN, valuesOf(filter));
  return row?.count ?? 0;
}

/** The maximum number of groups. Paths have `*` in place of array indexes, which would result in many more groups. */
const MAX_GROUPS = 1_000;

const GROUP = statement('group-dead-letters', {
  reason: 'text',
  field: 'text?',
  ...columns('number', 'dead_letters', 'newest_id'),
  ...columns('timestamp', 'first_received_at', 'last_received_at'),
})`
  SELECT letter.reason, regexp_replace(letter.field, '/[0-9]+(?=/|$)', '/*', 'g') AS field, count(*) AS dead_letters,
    min(letter.received_at) AS first_received_at, max(letter.received_at) AS last_received_at,
    max(letter.dead_letter_id) AS newest_id
  ${MATCHING} AND ($8 OR letter.resolution IS NULL)
  GROUP BY 1, 2 ORDER BY dead_letters DESC, letter.reason, field LIMIT ${MAX_GROUPS}`;

/** Counts dead letters by reason and field, the largest groups first. `pool` acts as the operator role. */
export async function groupDeadLetters(
  pool: Pool,
  filter: DeadLetterFilter,
  all: boolean,
): Promise<RowOf<typeof GROUP>[]> {
  return await query(pool, GROUP, [...valuesOf(filter), all]);
}

const FIRST_OPEN_IDS = statement('first-open-dead-letters', { id: 'number' })`
  SELECT letter.dead_letter_id AS id ${MATCHING} AND letter.resolution IS NULL
  ORDER BY letter.source_id, letter.source_offset, letter.dead_letter_id OFFSET $8 LIMIT ${MAX_DEAD_LETTERS}`;

/**
 * Returns the ids of the matching open dead letters, ordered by source and offset. Skips the first `skip` ids and
 * returns at most as many ids as one request can settle.
 */
export async function firstOpenIds(pool: Pool, filter: DeadLetterFilter, skip = 0): Promise<number[]> {
  return (await query(pool, FIRST_OPEN_IDS, [...valuesOf(filter), skip])).map(({ id }) => id);
}

const FIND = statement('find-dead-letters', DEAD_LETTER)`
  SELECT ${DEAD_LETTER_COLUMNS} ${MATCHING} AND ($8 OR letter.resolution IS NULL)
    AND letter.dead_letter_id < coalesce($9, 9223372036854775807)
  ORDER BY letter.dead_letter_id DESC LIMIT $10`;

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
  return await query(pool, FIND, [...valuesOf(filter), all, before, limit]);
}

const READ = statement('read-dead-letter', { ...DEAD_LETTER, raw: 'bytes?' })`
  SELECT ${DEAD_LETTER_COLUMNS}, letter.raw
  FROM dead_letter letter JOIN log_source source USING (source_id) WHERE letter.dead_letter_id = $1`;

/** Reads a dead letter and the bytes in its row; null when there is none. `pool` acts as the operator role. */
export async function readDeadLetter(pool: Pool, id: number): Promise<RowOf<typeof READ> | null> {
  const [row] = await query(pool, READ, [id]);
  return row ?? null;
}

/**
 * Opens a dead letter's record. `byteLength` is 0 when the record had no value at all or its driver has been erased.
 * Each chunk is read on demand, so only one is in memory at a time, regardless of the record's size.
 *
 * @param pool connections made as the operator role
 * @returns null when the dead letter does not exist
 */
export async function openRecord(pool: Pool, id: number) {
  const letter = await readDeadLetter(pool, id);
  if (letter === null) return null;
  const { raw, raw_bytes } = letter;
  return { byteLength: raw_bytes ?? 0, chunks: chunksOf(pool, id, raw, (raw_bytes ?? 0) - (raw?.byteLength ?? 0)) };
}

async function* chunksOf(pool: Pool, id: number, raw: Buffer | null, restBytes: number): AsyncGenerator<Buffer> {
  if (raw === null) return;
  yield raw;
  yield* readChunks(pool, id, restBytes);
}

/** Locks the rows in the same order as a retry does, because a different order could cause a deadlock. */
const DISCARD = statement('discard-dead-letters', { id: 'number' })`
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
