import { MAX_RECORD_BYTES } from '@milepost/domain/records';
import { chunkBySize } from '@milepost/event-log/chunk-by-size';
import { readChunks } from '@milepost/event-log/dead-letter-bytes';
import { FleetFencedError } from '@milepost/event-log/fences';
import { fleetOf, type PreparedRecord, readRecord, type SourceRecord } from '@milepost/event-log/prepare';
import { type Outcome, storeRecords } from '@milepost/event-log/store-records';
import { columns, inTransaction, type Pool, query, type RowOf, statement, type Transaction } from '@milepost/postgres';

/**
 * Finds which of these dead letters are open, in the order of their records (by source and offset). Their ids give this
 * order only within one batch of one source, because the ids of two processes, or of two runs over a topic, interleave.
 */
const FIND_RETRY_ORDER = statement('find-retry-order', { id: 'number', raw_bytes: 'number' })`
  SELECT dead_letter_id AS id, coalesce(octet_length(raw) + rest_bytes, 0) AS raw_bytes FROM dead_letter
  WHERE dead_letter_id = ANY($1::bigint[]) AND resolution IS NULL
  ORDER BY source_id, source_offset, dead_letter_id`;

/**
 * Locks the open dead letters in the order of their sources, like all other code, because a different order could cause
 * a deadlock. While a letter is locked, no other process can retry it.
 */
const LOCK_DEAD_LETTERS = statement('lock-dead-letters', {
  ...columns('number', 'id', 'source_id', 'source_offset', 'rest_bytes'),
  raw: 'bytes?',
  is_part: 'boolean',
})`
  SELECT dead_letter_id AS id, source_id, source_offset, raw, rest_bytes,
    reason IN ('batch_too_large', 'batch_unreadable')
      OR (reason = 'record_too_large' AND coalesce(octet_length(raw), 0) + rest_bytes <= ${MAX_RECORD_BYTES}) AS is_part
  FROM dead_letter
  WHERE dead_letter_id = ANY($1::bigint[]) AND resolution IS NULL
  ORDER BY source_id, source_offset, dead_letter_id FOR UPDATE`;

/**
 * A dead letter that contains only part of a record is never retried. The part may happen to be a valid record, but
 * nobody published that record.
 */
const PART =
  'The dead letter contains only part of the record, or the compressed batch that contained the record: publish the record again, within the limits.';

type OpenDeadLetter = RowOf<typeof LOCK_DEAD_LETTERS>;

/** Reads a letter's whole record. */
async function readRaw(transaction: Transaction, { id, raw, rest_bytes }: OpenDeadLetter): Promise<Buffer | null> {
  if (raw === null || rest_bytes === 0) return raw;
  const whole = Buffer.allocUnsafe(raw.byteLength + rest_bytes);
  let end = raw.copy(whole);
  for await (const chunk of readChunks(transaction, id, rest_bytes)) end += chunk.copy(whole, end);
  return whole;
}

/** The same statement changes the source's counts, so that they still add up. */
const RESOLVE_DEAD_LETTERS = statement('resolve-dead-letters')`
  WITH resolved AS (
    UPDATE dead_letter letter SET resolution = settled.resolution, resolved_at = now()
    FROM unnest($1::bigint[], $2::text[]) AS settled (dead_letter_id, resolution)
    WHERE letter.dead_letter_id = settled.dead_letter_id
    RETURNING letter.source_id, letter.resolution),
  counted AS (
    SELECT source_id, count(*) AS settled, count(*) FILTER (WHERE resolution = 'retried') AS stored
    FROM resolved GROUP BY source_id)
  UPDATE log_source SET records_dead_letter = records_dead_letter - settled,
    records_stored = records_stored + stored, records_duplicate = records_duplicate + settled - stored
  FROM counted WHERE log_source.source_id = counted.source_id`;

/** Settles the dead letters whose records have been stored or were already in the log. Their rows and bytes remain. */
async function resolveDeadLetters(transaction: Transaction, results: readonly RetriedDeadLetter[]): Promise<void> {
  const settled = results.filter(({ outcome }) => outcome === 'stored' || outcome === 'duplicate');
  if (settled.length === 0) return;
  await transaction.execute(RESOLVE_DEAD_LETTERS, [
    settled.map(({ id }) => id),
    settled.map(({ outcome }) => (outcome === 'stored' ? 'retried' : 'duplicate')),
  ]);
}

/**
 * The maximum number of letters in one transaction, until whose end other appends wait, and of their bytes, because the
 * bytes and the records prepared from them are in memory at the same time.
 */
const BATCH_LIMITS = { maxItems: 200, maxSize: 8 * 1024 * 1024 };

/** The outcome of retrying a dead letter. `message` gives the reason for a refusal. */
interface RetriedDeadLetter {
  id: number;
  outcome: 'stored' | 'duplicate' | 'refused' | 'not_open';
  message: string | null;
}

/** Returns why a fleet's records cannot be stored in this log; null when they can. */
type MisplacementOf = (fleetId: string) => Promise<string | null>;

/** The record in a dead letter. */
interface LetterRecord extends SourceRecord {
  deadLetterId: number;
}

/** Stores the records, except those refused by a fence: for these, adds a message to `refusals`, by dead letter. */
async function storeUnfenced(
  transaction: Transaction,
  records: readonly LetterRecord[],
  refusals: Map<number, string>,
): Promise<Outcome<LetterRecord>> {
  try {
    return (await storeRecords(transaction, records)).outcome;
  } catch (error) {
    if (!(error instanceof FleetFencedError)) throw error;
    // Nothing was stored, and the fences cannot change before the second attempt, because the head is still locked.
    const { moving = [], staying = [] } = Object.groupBy(records, ({ prepared }) =>
      error.fleetIds.includes(fleetOf(prepared) ?? '') ? 'moving' : 'staying',
    );
    for (const { deadLetterId, prepared } of moving) {
      refusals.set(deadLetterId, new FleetFencedError([fleetOf(prepared) ?? '']).message);
    }
    return (await storeRecords(transaction, staying)).outcome;
  }
}

/**
 * Retries a batch of dead letters in one transaction. Each record keeps its source and its offset. The same transaction
 * settles the dead letters whose records have been stored or were already in the log. All others remain open. Bytes are
 * never removed.
 *
 * @param ids few enough for the bytes of all these letters to fit in memory together
 * @param prepare checks and encodes the raw bytes with the current rules
 * @returns one result for each open letter
 *
 * Exported for tests.
 */
export async function retryDeadLetterBatch(
  pool: Pool,
  ids: readonly number[],
  prepare: (raw: Uint8Array | null) => PreparedRecord,
  misplacementOf: MisplacementOf = async () => null,
): Promise<RetriedDeadLetter[]> {
  return await inTransaction(pool, async (transaction) => {
    const deadLetters = await transaction.rows(LOCK_DEAD_LETTERS, [ids]);
    // Prepares all letters before the head is locked, because the lock blocks all other appends.
    const records: LetterRecord[] = [];
    const refusals = new Map<number, string>();
    for (const deadLetter of deadLetters) {
      const { id, source_id: sourceId, source_offset: offset, is_part } = deadLetter;
      const raw = await readRaw(transaction, deadLetter);
      const prepared = prepare(raw);
      const refusal = prepared.storable
        ? await misplacementOf(prepared.draft.record.fleet_id)
        : prepared.refusal.message;
      if (is_part) refusals.set(id, PART);
      else if (refusal !== null) refusals.set(id, refusal);
      else records.push({ deadLetterId: id, sourceId, offset, raw, prepared });
    }
    const duplicates = new Set<number>();
    if (records.length > 0) {
      const outcome = await storeUnfenced(transaction, records, refusals);
      for (const { record, refusal } of outcome.deadLetters) refusals.set(record.deadLetterId, refusal.message);
      for (const { record } of outcome.duplicates) duplicates.add(record.deadLetterId);
    }
    const results = deadLetters.map(({ id }): RetriedDeadLetter => {
      const message = refusals.get(id);
      if (message !== undefined) return { id, outcome: 'refused', message };
      return { id, outcome: duplicates.has(id) ? 'duplicate' : 'stored', message: null };
    });
    await resolveDeadLetters(transaction, results);
    return results;
  });
}

/**
 * Retries dead letters with the current rules, ordered by source and offset, not in the order of `ids`. In a revision
 * conflict, the earlier record wins. The letters are retried in batches, each of which is settled when it commits.
 *
 * @param pool connections made as the role `milepost_ingest`
 * @param misplacementOf says why a fleet's records do not belong in this log
 * @returns one result for each id; letters that are not open come last
 */
export async function retryDeadLetters(
  pool: Pool,
  ids: readonly number[],
  misplacementOf?: MisplacementOf,
): Promise<RetriedDeadLetter[]> {
  const results: RetriedDeadLetter[] = [];
  const candidates = await query(pool, FIND_RETRY_ORDER, [ids]);
  for (const batch of chunkBySize(candidates, ({ raw_bytes }) => raw_bytes, BATCH_LIMITS)) {
    const inBatch = batch.map(({ id }) => id);
    const prepare = (raw: Uint8Array | null) => readRecord(raw, Date.now());
    results.push(...(await retryDeadLetterBatch(pool, inBatch, prepare, misplacementOf)));
  }
  const others = new Set(ids).difference(new Set(results.map(({ id }) => id)));
  for (const id of others) results.push({ id, outcome: 'not_open', message: `There is no open dead letter ${id}.` });
  return results;
}
