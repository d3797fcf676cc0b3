import type { Pool } from '@milepost/postgres';

/** Stops a projection's live generation, or lets it continue when `failure` is null. */
export async function stopProjection(
  owner: Pool,
  projection: string,
  failedPosition: number | null,
  failure: string | null,
): Promise<void> {
  await owner.query('UPDATE generation SET failed_position = $2, failure = $3 WHERE projection = $1 AND live', [
    projection,
    failedPosition,
    failure,
  ]);
}

/** Gives a source a fault that began at the time `at`. */
export async function stopSource(
  owner: Pool,
  topic: string,
  { stopped, fault, at }: { stopped: boolean; fault: string; at: string },
): Promise<void> {
  await owner.query('UPDATE log_source SET stopped = $2, fault = $3, fault_at = $4 WHERE topic = $1', [
    topic,
    stopped,
    fault,
    at,
  ]);
}
