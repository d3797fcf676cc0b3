import { nullable, number, type Pool, query, type RowOf, statement } from '@milepost/postgres';

/** Whether records come in and are applied, as the database tells it. */
const READ_READINESS = statement('readiness', {
  /** Since the oldest stored event that is not applied yet was stored; 0 when there is none. */
  lag_seconds: number,
  /** Where a projection stands still, if one does. */
  failed_position: nullable(number),
  /** Since a process last said that it holds a source; null when none ever did. */
  missing_seconds: nullable(number),
})`
  SELECT coalesce((SELECT lag_seconds FROM read.lag), 0) AS lag_seconds,
  (SELECT min(failed_position) FROM projection.generation WHERE live) AS failed_position,
  (SELECT date_part('epoch', now() - max(held_at)) FROM log.source) AS missing_seconds`;

/** Ingest says every few seconds that it holds its sources. */
export const MOST_SECONDS_WITHOUT_INGEST = 60;

/** Whether no process reads Kafka, by the seconds since one last said that it does; null: none ever did. */
export function isIngestMissing(missingSeconds: number | null): boolean {
  return missingSeconds === null || missingSeconds > MOST_SECONDS_WITHOUT_INGEST;
}

/** Reads it in one statement. `pool` acts in the operator's role. */
export async function readReadiness(pool: Pool): Promise<RowOf<typeof READ_READINESS>> {
  const [readiness] = await query(pool, READ_READINESS);
  return readiness ?? { lag_seconds: 0, failed_position: null, missing_seconds: null };
}
