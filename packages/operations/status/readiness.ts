import type { Pool, Statement } from '@milepost/postgres';

/** Whether records come in and are applied, as the database tells it. */
export interface Readiness {
  /** Since the oldest stored event that is not applied yet was stored; 0 when there is none. */
  lag_seconds: number;
  /** Where a projection stands still, if one does. */
  failed_position: number | null;
  /** Since a process last said that it holds a source; null when none ever did. */
  missing_seconds: number | null;
}

const READ_READINESS: Statement = {
  name: 'readiness',
  text: `SELECT coalesce((SELECT lag_seconds FROM read.lag), 0) AS lag_seconds,
           (SELECT min(failed_position) FROM projection.generation WHERE live) AS failed_position,
           (SELECT date_part('epoch', now() - max(held_at)) FROM log.source) AS missing_seconds`,
};

/** Reads it in one statement. `pool` acts in the operator's role. */
export async function readReadiness(pool: Pool): Promise<Readiness> {
  const { rows } = await pool.query<Readiness>(READ_READINESS);
  return rows[0] ?? { lag_seconds: 0, failed_position: null, missing_seconds: null };
}
