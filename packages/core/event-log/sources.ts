import { hash } from 'node:crypto';
import { fileSource } from '@milepost/domain/ids';
import { columns, execute, type Pool, query, queryRow, type RowOf, statement } from '@milepost/postgres';

/**
 * A stored record from a topic's partition. The record shows whether the topic is still the same or a new topic with
 * the same name. Ingest replaces the record only with a later one that is known to belong to the same topic.
 */
export interface LastRecord {
  offset: number;
  /** The broker's timestamp, in epoch milliseconds. */
  timestamp: number;
  /** The SHA-256 of the record's bytes; null after an erasure has removed it. */
  hash: Buffer | null;
}

/** Returns what is stored about the record that identifies the topic. */
export function lastRecordOf(offset: number, timestamp: number, raw: Uint8Array | null): LastRecord {
  return { offset, timestamp, hash: hash('sha256', raw ?? '', 'buffer') };
}

/**
 * Whether `found` is the kept record, which identifies the topic. Without a hash, only offset and timestamp are
 * compared.
 */
export function isSameRecord(kept: LastRecord, found: LastRecord): boolean {
  if (kept.offset !== found.offset || kept.timestamp !== found.timestamp) return false;
  return kept.hash === null || (found.hash !== null && kept.hash.equals(found.hash));
}

/** The right to store the records of a source from `nextOffset` on, until another process claims the source. */
export interface SourceClaim {
  sourceId: number;
  topic: string;
  partition: number;
  epoch: number;
  nextOffset: number;
  /** The record that identifies the source's topic; null when there is none, as for a file. */
  last: LastRecord | null;
  /** Why the source is stopped until an operator sets its next offset; null when it is not stopped. */
  stopped: string | null;
}

/** Returns the columns of a claim. */
const RETURNING = `RETURNING source_id, topic, partition, epoch, next_offset, last_offset, last_timestamp, last_hash,
           CASE WHEN log_source.stopped THEN fault END AS stopped`;
const COLUMNS = {
  topic: 'text',
  ...columns('number', 'source_id', 'partition', 'epoch', 'next_offset'),
  ...columns('number?', 'last_offset', 'last_timestamp'),
  last_hash: 'bytes?',
  stopped: 'text?',
} as const;

const CLAIM_SOURCE = statement('claim-source', COLUMNS)`
  INSERT INTO log_source (topic, partition, epoch) VALUES ($1, $2, 1)
  ON CONFLICT (topic, partition) DO UPDATE SET epoch = log_source.epoch + 1 ${RETURNING}`;

/** Returns the claim in a row with these columns. */
function toClaim(row: RowOf<typeof CLAIM_SOURCE>): SourceClaim {
  const { topic, partition, epoch, stopped, last_offset: offset, last_timestamp: timestamp, last_hash: hash } = row;
  const last = offset === null || timestamp === null ? null : { offset, timestamp, hash };
  return { sourceId: row.source_id, topic, partition, epoch, nextOffset: row.next_offset, last, stopped };
}

/** Claims a topic's partition and thereby ends every earlier claim on this partition. */
export async function claimSource(pool: Pool, topic: string, partition: number): Promise<SourceClaim> {
  return toClaim(await queryRow(pool, CLAIM_SOURCE, [topic, partition]));
}

/** Each run over a file is a source of its own, with the run's number in place of the partition. */
const CLAIM_FILE = statement('claim-file', COLUMNS)`
  WITH run AS (SELECT coalesce(max(partition), 0) + 1 AS number FROM log_source WHERE topic = $1)
  INSERT INTO log_source (topic, partition, epoch) SELECT $1::text, number, 1 FROM run
  ON CONFLICT (topic, partition) DO NOTHING ${RETURNING}`;

/** Claims the next run over a file, starting at the beginning of the file. */
export async function claimFile(pool: Pool, name: string): Promise<SourceClaim> {
  for (;;) {
    const [row] = await query(pool, CLAIM_FILE, [fileSource(name)]);
    if (row) return toClaim(row);
    // Another process has just taken this number, so try the next one.
  }
}

/** Skips sources that an append has locked, because waiting for several locks could cause a deadlock. */
const RECORD_HEARTBEATS = statement('record-heartbeats')`
  UPDATE log_source source SET held_at = now() FROM (
    SELECT source_id FROM log_source source JOIN unnest($1::bigint[], $2::bigint[]) AS claim (source_id, epoch)
      USING (source_id, epoch) FOR UPDATE OF source SKIP LOCKED) held
  WHERE source.source_id = held.source_id`;

/**
 * Records a heartbeat for each claim that is still valid. A source without a heartbeat for a minute counts as missing.
 */
export async function recordHeartbeats(pool: Pool, claims: readonly SourceClaim[]): Promise<void> {
  const values = [claims.map(({ sourceId }) => sourceId), claims.map(({ epoch }) => epoch)];
  await execute(pool, RECORD_HEARTBEATS, values);
}

/**
 * A stopped source keeps the time of its stop. A later fault replaces the reason only if that fault stops the source
 * too.
 */
const MARK_NEW_FAULT = statement('mark-new-source-fault')`
  UPDATE log_source SET fault = $3, fault_at = now(), stopped = $4
  WHERE source_id = $1 AND epoch = $2 AND (NOT stopped OR $4) AND (fault IS NULL OR stopped < $4)`;

/**
 * Replaces a known fault but keeps its time. It never changes a source that `MARK_NEW_FAULT` changes. Citus needs two
 * statements (postgres/citus/README.md).
 */
const MARK_KNOWN_FAULT = statement('mark-known-source-fault')`
  UPDATE log_source SET fault = $3, stopped = $4
  WHERE source_id = $1 AND epoch = $2 AND (NOT stopped OR $4) AND fault IS NOT NULL AND stopped >= $4`;

const CLEAR_FAULT = statement('clear-source-fault')`
  UPDATE log_source SET fault = NULL, fault_at = NULL, stopped = false
  WHERE source_id = $1 AND epoch = $2 AND fault IS NOT NULL`;

const LIST_STOPPED = statement('list-stopped-sources', { topic: 'text', partition: 'number' })`
  SELECT topic, partition FROM log_source WHERE stopped`;

/**
 * Stores why a source does not deliver any records, if the claim is still valid.
 *
 * @param stopped whether the source stops until an operator or `clearSourceFault` clears the fault; otherwise, the next
 *   append clears it
 */
export async function markSourceFault(
  pool: Pool,
  { sourceId, epoch }: SourceClaim,
  fault: string,
  stopped: boolean,
): Promise<void> {
  const values = [sourceId, epoch, fault, stopped];
  await execute(pool, MARK_KNOWN_FAULT, values);
  await execute(pool, MARK_NEW_FAULT, values);
}

/** Clears the recorded fault of a source, if the claim is still valid. */
export async function clearSourceFault(pool: Pool, { sourceId, epoch }: SourceClaim): Promise<void> {
  await execute(pool, CLEAR_FAULT, [sourceId, epoch]);
}

/** Lists the stopped sources. Each of them waits until its fault is cleared. */
export async function listStoppedSources(pool: Pool): Promise<RowOf<typeof LIST_STOPPED>[]> {
  return await query(pool, LIST_STOPPED);
}

const END_SOURCE = statement('end-source')`
  UPDATE log_source SET ended_at = now() WHERE source_id = $1 AND epoch = $2`;

/** Records that a file has been read to its end, if the claim is still valid. */
export async function endSource(pool: Pool, { sourceId, epoch }: SourceClaim): Promise<void> {
  await execute(pool, END_SOURCE, [sourceId, epoch]);
}

const READ_COUNTS = statement('read-source-counts', columns('number', 'read', 'stored', 'duplicates', 'dead_letters'))`
  SELECT records_read - records_elsewhere AS read, records_stored AS stored, records_duplicate AS duplicates,
    records_dead_letter AS dead_letters
  FROM log_source WHERE source_id = $1`;

/** The number of records with each result; `read` is their sum. */
export type AppendCounts = RowOf<typeof READ_COUNTS>;

/** Reads a source's record counts so far. */
export async function readSourceCounts(pool: Pool, sourceId: number): Promise<AppendCounts> {
  return await queryRow(pool, READ_COUNTS, [sourceId]);
}
