import { hash } from 'node:crypto';
import { bytes, execute, nullable, number, type Pool, query, type RowOf, statement, text } from '@milepost/postgres';

/** What is kept of the last record read of a topic's partition, to know it again. */
export interface LastRecord {
  offset: number;
  /** The broker's, in epoch milliseconds. */
  timestamp: number;
  /** SHA-256 of the record's bytes; null once an erasure has taken it. */
  hash: Buffer | null;
}

/** What to keep of a record. */
export function lastRecordOf(offset: number, timestamp: number, raw: Uint8Array | null): LastRecord {
  return { offset, timestamp, hash: hash('sha256', raw ?? '', 'buffer') };
}

/** Whether a record is the one that was kept. Without a hash its offset and timestamp have to do. */
export function isSameRecord(kept: LastRecord, found: LastRecord): boolean {
  if (kept.offset !== found.offset || kept.timestamp !== found.timestamp) return false;
  return kept.hash === null || (found.hash !== null && kept.hash.equals(found.hash));
}

/** The right to store what a source holds from `nextOffset` on, until somebody else claims the source. */
export interface SourceClaim {
  sourceId: number;
  topic: string;
  partition: number;
  epoch: number;
  nextOffset: number;
  /** The last record read; null when none is known, as of files. */
  last: LastRecord | null;
  /** Why the source stands still until an operator settles it; null when it does not. */
  stopped: string | null;
}

const RETURNING = `RETURNING source_id, topic, partition, epoch, next_offset, last_offset, last_timestamp, last_hash,
           CASE WHEN log.source.stopped THEN fault END AS stopped`;
const COLUMNS = {
  source_id: number,
  topic: text,
  partition: number,
  epoch: number,
  next_offset: number,
  last_offset: nullable(number),
  last_timestamp: nullable(number),
  last_hash: nullable(bytes),
  stopped: nullable(text),
};

const CLAIM_SOURCE = statement('claim-source', COLUMNS)`
  INSERT INTO log.source (topic, partition, epoch) VALUES ($1, $2, 1)
  ON CONFLICT (topic, partition) DO UPDATE SET epoch = log.source.epoch + 1 ${RETURNING}`;

/** Each reading of a file is a source of its own: the run's number stands in for the partition. */
const CLAIM_FILE = statement('claim-file', COLUMNS)`
  INSERT INTO log.source (topic, partition, epoch)
  SELECT $1::text, coalesce(max(partition), 0) + 1, 1 FROM log.source WHERE topic = $1
  ON CONFLICT (topic, partition) DO NOTHING ${RETURNING}`;

function toClaim(row: RowOf<typeof CLAIM_SOURCE>): SourceClaim {
  const { topic, partition, epoch, stopped, last_offset: offset, last_timestamp: timestamp, last_hash: hash } = row;
  const last = offset === null || timestamp === null ? null : { offset, timestamp, hash };
  return {
    sourceId: row.source_id,
    topic,
    partition,
    epoch,
    nextOffset: row.next_offset,
    last,
    stopped,
  };
}

/** Claims a topic's partition; every process that held it before is fenced off from now on. */
export async function claimSource(pool: Pool, topic: string, partition: number): Promise<SourceClaim> {
  const [row] = await query(pool, CLAIM_SOURCE, [topic, partition]);
  if (!row) throw new Error(`Source ${topic}/${partition} could not be claimed.`);
  return toClaim(row);
}

/** Claims the next run of a file, which is read from its beginning. */
export async function claimFile(pool: Pool, name: string): Promise<SourceClaim> {
  for (;;) {
    const [row] = await query(pool, CLAIM_FILE, [`file:${name}`]);
    if (row) return toClaim(row);
    // Another process took the same run number at this moment: the next one is free.
  }
}

const END_SOURCE = statement('end-source')`
  UPDATE log.source SET ended_at = now() WHERE source_id = $1 AND epoch = $2`;

/** Says that a file was read to its end, as long as the claim holds. */
export async function endSource(pool: Pool, { sourceId, epoch }: SourceClaim): Promise<void> {
  await execute(pool, END_SOURCE, [sourceId, epoch]);
}

/** Passes over sources that an append has locked: waiting for several, the two could wait for each other. */
const HOLD_SOURCES = statement('hold-sources')`
  UPDATE log.source SET held_at = now() FROM (
    SELECT source_id FROM log.source JOIN unnest($1::integer[], $2::bigint[]) AS claim (source_id, epoch)
      USING (source_id, epoch) FOR UPDATE OF source SKIP LOCKED) held
  WHERE source.source_id = held.source_id`;

/** Says that whoever has these claims is at work, of those that still hold. Whoever says so for a minute no more is missing. */
export async function holdSources(pool: Pool, claims: readonly SourceClaim[]): Promise<void> {
  const values = [claims.map(({ sourceId }) => sourceId), claims.map(({ epoch }) => epoch)];
  await execute(pool, HOLD_SOURCES, values);
}

/** A source that stands still does so since it stopped, whatever else is found out about it. */
const MARK_FAULT = statement('mark-source-fault')`
  UPDATE log.source
  SET fault = $3, fault_at = CASE WHEN fault IS NULL OR stopped < $4 THEN now() ELSE fault_at END, stopped = $4
  FROM unnest($1::integer[], $2::bigint[]) AS claim (source_id, epoch)
  WHERE source.source_id = claim.source_id AND source.epoch = claim.epoch AND (NOT stopped OR $4)`;

const CLEAR_FAULT = statement('clear-source-fault')`
  UPDATE log.source SET fault = NULL, fault_at = NULL, stopped = false
  WHERE source_id = $1 AND epoch = $2 AND fault IS NOT NULL`;

const LIST_STOPPED = statement('list-stopped-sources', {
  topic: text,
  partition: number,
})`SELECT topic, partition FROM log.source WHERE stopped`;

/**
 * Notes for everybody to see why nothing comes from sources, for as long as the claims hold.
 *
 * @param stopped whether they stand still until an operator settles it; otherwise the next append ends the fault
 */
export async function markSourceFault(
  pool: Pool,
  claims: readonly SourceClaim[],
  fault: string,
  stopped: boolean,
): Promise<void> {
  const values = [claims.map(({ sourceId }) => sourceId), claims.map(({ epoch }) => epoch), fault, stopped];
  await execute(pool, MARK_FAULT, values);
}

/** Takes back what was noted of a source, as long as the claim holds. */
export async function clearSourceFault(pool: Pool, { sourceId, epoch }: SourceClaim): Promise<void> {
  await execute(pool, CLEAR_FAULT, [sourceId, epoch]);
}

/** The sources that stand still until an operator settles it. */
export async function listStoppedSources(pool: Pool): Promise<RowOf<typeof LIST_STOPPED>[]> {
  return await query(pool, LIST_STOPPED);
}

/** What became of the records read; `read` is the sum of the others. */
export interface AppendCounts {
  read: number;
  stored: number;
  duplicates: number;
  dead_letters: number;
}

const READ_COUNTS = statement('read-source-counts', {
  read: number,
  stored: number,
  duplicates: number,
  dead_letters: number,
})`
  SELECT records_read AS read, records_stored AS stored, records_duplicate AS duplicates,
    records_dead_letter AS dead_letters
  FROM log.source WHERE source_id = $1`;

/** What has become of all records of a source so far. */
export async function readSourceCounts(pool: Pool, sourceId: number): Promise<AppendCounts> {
  const [counts] = await query(pool, READ_COUNTS, [sourceId]);
  if (!counts) throw new Error(`There is no source ${sourceId}.`);
  return counts;
}
