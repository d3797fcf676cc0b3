import { nullable, number, type Pool, query, type RowOf, statement } from '@milepost/postgres';

/** Whether records arrive and are applied. */
const READ_READINESS = statement('readiness', {
  /** The age of the oldest stored event that is not applied; 0 when there is none. */
  lag_seconds: number,
  /** The position at which a projection is stopped, if any. */
  failed_position: nullable(number),
  /** Seconds since the last heartbeat of a process that held a source; null when there was none. */
  missing_seconds: nullable(number),
})`
  SELECT coalesce((SELECT lag_seconds FROM applied_lag), 0) AS lag_seconds,
  (SELECT min(failed_position) FROM generation WHERE live) AS failed_position,
  (SELECT date_part('epoch', now() - max(held_at)) FROM log_source) AS missing_seconds`;

/** Ingest sends a heartbeat for its sources every few seconds. */
export const MAX_SECONDS_WITHOUT_INGEST = 60;

/**
 * Returns whether no process reads Kafka, judged by the seconds since the last heartbeat (null when there was none).
 */
export function isIngestMissing(missingSeconds: number | null): boolean {
  return missingSeconds === null || missingSeconds > MAX_SECONDS_WITHOUT_INGEST;
}

/** Reads the readiness in one statement. `pool` acts as the operator role. */
export async function readReadiness(pool: Pool): Promise<RowOf<typeof READ_READINESS>> {
  const [readiness] = await query(pool, READ_READINESS);
  return readiness ?? { lag_seconds: 0, failed_position: null, missing_seconds: null };
}
