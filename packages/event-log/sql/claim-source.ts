import type { Pool, Statement } from '@milepost/postgres';

/** The right to store what a source holds from `nextOffset` on, until somebody else claims the source. */
export interface SourceClaim {
  sourceId: number;
  topic: string;
  partition: number;
  epoch: number;
  nextOffset: number;
}

const CLAIM_SOURCE: Statement = {
  name: 'claim-source',
  text: `INSERT INTO log.source (topic, partition, epoch) VALUES ($1, $2, 1)
         ON CONFLICT (topic, partition) DO UPDATE SET epoch = log.source.epoch + 1
         RETURNING source_id, topic, partition, epoch, next_offset`,
};

/** Each reading of a file is a source of its own: the run's number stands in for the partition. */
const CLAIM_FILE: Statement = {
  name: 'claim-file',
  text: `INSERT INTO log.source (topic, partition, epoch)
         SELECT $1::text, coalesce(max(partition), 0) + 1, 1 FROM log.source WHERE topic = $1
         ON CONFLICT (topic, partition) DO NOTHING
         RETURNING source_id, topic, partition, epoch, next_offset`,
};

interface Row {
  source_id: number;
  topic: string;
  partition: number;
  epoch: number;
  next_offset: number;
}

function toClaim(row: Row): SourceClaim {
  const { topic, partition, epoch } = row;
  return { sourceId: row.source_id, topic, partition, epoch, nextOffset: row.next_offset };
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
