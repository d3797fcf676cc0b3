import type { Pool, Statement } from '@milepost/postgres';
import { RefusedError } from '../audit-trail/index.ts';

/** Where a source goes on: at the oldest record that the broker holds, or at an offset. */
export type Start = 'beginning' | number;

export interface AcceptedSource {
  topic: string;
  partition: number;
  /** Where it would have gone on. */
  abandoned_offset: number;
  next_offset: number;
}

/** The higher epoch shuts out whoever has claimed the source; the claim after it begins where the row says. */
const ACCEPT_SOURCE: Statement = {
  name: 'accept-source',
  text: `UPDATE log.source
         SET next_offset = $3, epoch = epoch + 1, last_offset = NULL, last_timestamp = NULL, last_hash = NULL,
             fault = NULL, fault_at = NULL, stopped = false
         WHERE topic = $1 AND partition = $2 AND fault IS NOT NULL
         RETURNING topic, partition, old.next_offset AS abandoned_offset, new.next_offset`,
};

/**
 * Has a source that stands still, or cannot be read, go on elsewhere: what lies between is never read. Ingest does so
 * within seconds, and stops again if the broker does not hold the offset.
 *
 * @param pool acts in the operator's role
 * @throws RefusedError when there is no such source, or nothing is wrong with it
 */
export async function acceptSource(
  pool: Pool,
  topic: string,
  partition: number,
  start: Start,
): Promise<AcceptedSource> {
  // What was never read begins at the oldest record: 0 stands for that.
  const values = [topic, partition, start === 'beginning' ? 0 : start];
  const { rows } = await pool.query<AcceptedSource>({ ...ACCEPT_SOURCE, values });
  const [accepted] = rows;
  if (accepted) return accepted;
  throw new RefusedError(`${topic}/${partition} does not stand still: the status shows the sources that do.`);
}

/** What came of it, for the audit trail and for who asked. */
export function acceptedInWords({ topic, partition, abandoned_offset, next_offset }: AcceptedSource): string {
  return `${topic}/${partition} goes on at offset ${next_offset} instead of ${abandoned_offset}`;
}
