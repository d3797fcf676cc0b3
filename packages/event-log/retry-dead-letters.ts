import {
  bytes,
  inTransaction,
  nullable,
  number,
  type Pool,
  query,
  type RowOf,
  statement,
  type Transaction,
} from '@milepost/postgres';
import { cut } from './cut.ts';
import type { PreparedRecord, SourceRecord } from './prepare.ts';
import { readRecord } from './read-record.ts';
import { storeRecords } from './store-records.ts';

const FIND_RETRY_ORDER = statement('find-retry-order', { id: number, raw_bytes: number })`
  SELECT dead_letter_id AS id, coalesce(octet_length(raw), 0) AS raw_bytes FROM log.dead_letter
  WHERE dead_letter_id = ANY($1::bigint[]) AND resolution IS NULL
  ORDER BY source_id, source_offset, dead_letter_id`;

/** A dead letter to be tried again, and what it will take. */
type RetryCandidate = RowOf<typeof FIND_RETRY_ORDER>;

/**
 * The open ones among these dead letters by source and offset, as their records came. Ids follow the order of arrival only
 * within one batch of one source: a topic read by two processes, or twice, mixes them.
 */
async function findRetryOrder(pool: Pool, ids: readonly number[]): Promise<RetryCandidate[]> {
  return await query(pool, FIND_RETRY_ORDER, [ids]);
}

/** Everybody who settles dead letters locks them in this order: in any other, two of them could wait for each other. */
const LOCK_DEAD_LETTERS = statement('lock-dead-letters', {
  id: number,
  source_id: number,
  source_offset: number,
  raw: nullable(bytes),
})`
  SELECT dead_letter_id AS id, source_id, source_offset, raw FROM log.dead_letter
  WHERE dead_letter_id = ANY($1::bigint[]) AND resolution IS NULL
  ORDER BY source_id, source_offset, dead_letter_id FOR UPDATE`;

type OpenDeadLetter = RowOf<typeof LOCK_DEAD_LETTERS>;

/** The open ones among these dead letters in the order of their sources, locked so that each is tried once at a time. */
async function lockDeadLetters(transaction: Transaction, ids: readonly number[]): Promise<OpenDeadLetter[]> {
  return await transaction.rows(LOCK_DEAD_LETTERS, [ids]);
}

/** The sources' counts move with it, so that they go on adding up. */
const RESOLVE_DEAD_LETTERS = statement('resolve-dead-letters')`
  WITH resolved AS (
    UPDATE log.dead_letter letter SET resolution = settled.resolution, resolved_at = now()
    FROM unnest($1::bigint[], $2::text[]) AS settled (dead_letter_id, resolution)
    WHERE letter.dead_letter_id = settled.dead_letter_id
    RETURNING letter.source_id, letter.resolution),
  counted AS (
    SELECT source_id, count(*) AS settled, count(*) FILTER (WHERE resolution = 'retried') AS stored
    FROM resolved GROUP BY source_id)
  UPDATE log.source SET records_dead_letter = records_dead_letter - settled,
    records_stored = records_stored + stored, records_duplicate = records_duplicate + settled - stored
  FROM counted WHERE log.source.source_id = counted.source_id`;

/** Marks the dead letters as settled whose records were stored, or found stored; their rows and bytes stay. */
async function resolveDeadLetters(transaction: Transaction, results: readonly RetriedDeadLetter[]): Promise<void> {
  const settled = results.filter(({ outcome }) => outcome === 'stored' || outcome === 'duplicate');
  if (settled.length === 0) return;
  await transaction.execute(RESOLVE_DEAD_LETTERS, [
    settled.map(({ id }) => id),
    settled.map(({ outcome }) => (outcome === 'stored' ? 'retried' : 'duplicate')),
  ]);
}

/** Letters that are tried again in one transaction, during which nobody else can append for a moment. */
const LIMIT_LETTERS = 200;
/** Their bytes are in memory together, and so is what they become. */
const LIMIT_BYTES = 8 * 1024 * 1024;

/**
 * Cuts candidates, in their order, into batches within the limits; one letter larger than the limit is a batch alone.
 * Exported for tests.
 */
export function* batchesOf(candidates: readonly RetryCandidate[]): Generator<number[]> {
  const limits = { items: LIMIT_LETTERS, bytes: LIMIT_BYTES };
  for (const batch of cut(candidates, ({ raw_bytes }) => raw_bytes, limits)) yield batch.map(({ id }) => id);
}

/** What became of a dead letter that was tried again. `message` says why it was refused. */
interface RetriedDeadLetter {
  id: number;
  outcome: 'stored' | 'duplicate' | 'refused' | 'not_open';
  message: string | null;
}

interface PreparedLetter extends OpenDeadLetter {
  prepared: PreparedRecord;
}

/** Stores what it can of one source's letters, in the order of their offsets. */
async function retryOfSource(
  transaction: Transaction,
  sourceId: number,
  letters: readonly PreparedLetter[],
): Promise<RetriedDeadLetter[]> {
  const refusals = new Map<number, string>();
  const storable: SourceRecord[] = [];
  for (const { source_offset: offset, raw, prepared } of letters) {
    if (prepared.storable) storable.push({ sourceId, offset, raw, prepared });
    else refusals.set(offset, prepared.refusal.message);
  }
  const duplicates = new Set<number>();
  if (storable.length > 0) {
    const { outcome } = await storeRecords(transaction, storable);
    for (const { sourceOffset, refusal } of outcome.deadLetters) refusals.set(sourceOffset, refusal.message);
    for (const { sourceOffset } of outcome.duplicates) duplicates.add(sourceOffset);
  }
  return letters.map(({ id, source_offset }) => {
    const message = refusals.get(source_offset);
    if (message !== undefined) return { id, outcome: 'refused', message };
    return { id, outcome: duplicates.has(source_offset) ? 'duplicate' : 'stored', message: null };
  });
}

/**
 * Tries a batch of dead letters again in one transaction, each in its own source and under its own offset, in the order in
 * which the source had them. What can be stored now (or is stored already) is marked as resolved in the same
 * transaction; the rest stays as it is. No bytes are ever removed.
 *
 * @param ids few enough that their bytes fit into memory at once
 * @param prepare checks and encodes the raw bytes with today's rules
 * @returns one result for each of them that is open. Exported for tests.
 */
export async function retryDeadLetterBatch(
  pool: Pool,
  ids: readonly number[],
  prepare: (raw: Uint8Array | null) => PreparedRecord,
): Promise<RetriedDeadLetter[]> {
  return await inTransaction(pool, async (transaction) => {
    const letters = await lockDeadLetters(transaction, ids);
    // All before the first lock on the head, which stops everybody else who appends.
    const prepared = letters.map((letter) => ({ ...letter, prepared: prepare(letter.raw) }));
    const results: RetriedDeadLetter[] = [];
    for (const [sourceId, ofSource] of Map.groupBy(prepared, (letter) => letter.source_id)) {
      results.push(...(await retryOfSource(transaction, sourceId, ofSource)));
    }
    await resolveDeadLetters(transaction, results);
    return results;
  });
}

/**
 * Tries dead letters again with today's rules, by source and offset whatever the order of `ids`: a revision conflict goes to
 * the record that came first. Done in batches, each of which is settled once it has been committed.
 *
 * @param pool connections in the role `milepost_ingest`
 * @param onProgress hears how many of `ids` have been tried so far
 * @returns one result for each id, those that are not open last
 */
export async function retryDeadLetters(
  pool: Pool,
  ids: readonly number[],
  onProgress: (tried: number) => void = () => {},
): Promise<RetriedDeadLetter[]> {
  const results: RetriedDeadLetter[] = [];
  let tried = 0;
  for (const batch of batchesOf(await findRetryOrder(pool, ids))) {
    results.push(...(await retryDeadLetterBatch(pool, batch, (raw) => readRecord(raw, Date.now()))));
    tried += batch.length;
    onProgress(tried);
  }
  const others = new Set(ids).difference(new Set(results.map(({ id }) => id)));
  for (const id of others) results.push({ id, outcome: 'not_open', message: `There is no open dead letter ${id}.` });
  return results;
}
