import type { Pool, Statement } from '@milepost/postgres';
import type { LastRecord } from '../last-record.ts';

/** The right to store what a source holds from `nextOffset` on, until somebody else claims the source. */
export interface SourceClaim {
  sourceId: number;
  topic: string;
  partition: number;
  epoch: number;
  nextOffset: number;
  /** The last record read; null when none is known, as of files. */
  last: LastRecord | null;
  /** Whether what the broker holds there was found to be that record. */
  confirmed: boolean;
  /** Why the source stands still until an operator settles it; null when it does not. */
  stopped: string | null;
}

const COLUMNS = `source_id, topic, partition, epoch, next_offset, last_offset, last_timestamp, last_hash,
           CASE WHEN log.source.stopped THEN fault END AS stopped`;

const CLAIM_SOURCE: Statement = {
  name: 'claim-source',
  text: `INSERT INTO log.source (topic, partition, epoch) VALUES ($1, $2, 1)
         ON CONFLICT (topic, partition) DO UPDATE SET epoch = log.source.epoch + 1
         RETURNING ${COLUMNS}`,
};

/** Each reading of a file is a source of its own: the run's number stands in for the partition. */
const CLAIM_FILE: Statement = {
  name: 'claim-file',
  text: `INSERT INTO log.source (topic, partition, epoch)
         SELECT $1::text, coalesce(max(partition), 0) + 1, 1 FROM log.source WHERE topic = $1
         ON CONFLICT (topic, partition) DO NOTHING
         RETURNING ${COLUMNS}`,
};

interface Row {
  source_id: number;
  topic: string;
  partition: number;
  epoch: number;
  next_offset: number;
  last_offset: number | null;
  last_timestamp: number | null;
  last_hash: Buffer | null;
  stopped: string | null;
}

function toClaim(row: Row): SourceClaim {
  const { topic, partition, epoch, stopped, last_offset: offset, last_timestamp: timestamp, last_hash: hash } = row;
  const last = offset === null || timestamp === null ? null : { offset, timestamp, hash };
  return {
    sourceId: row.source_id,
    topic,
    partition,
    epoch,
    nextOffset: row.next_offset,
    last,
    confirmed: false,
    stopped,
  };
}

/** Claims a topic's partition; every process that held it before is fenced off from now on. */
export async function claimSource(pool: Pool, topic: string, partition: number): Promise<SourceClaim> {
  const { rows } = await pool.query<Row>({ ...CLAIM_SOURCE, values: [topic, partition] });
  const [row] = rows;
  if (!row) throw new Error(`Source ${topic}/${partition} could not be claimed.`);
  return toClaim(row);
}

/** Claims the next run of a file, which is read from its beginning. */
export async function claimFile(pool: Pool, name: string): Promise<SourceClaim> {
  for (;;) {
    const { rows } = await pool.query<Row>({ ...CLAIM_FILE, values: [`file:${name}`] });
    const [row] = rows;
    if (row) return toClaim(row);
    // Another process took the same run number at this moment: the next one is free.
  }
}
