import { type Pool, queryRow, statement } from '@milepost/postgres';
import { MoveRefusedError } from './errors.ts';

const COUNT_ERASURES = statement('count-erasures-of-fleet', { erasures: 'number' })`
  SELECT count(*) AS erasures FROM erasure WHERE fleet_id = $1`;

/**
 * Refuses to move a fleet with erased drivers. Each lane stores the ids of erased drivers only as hashes made with the
 * lane's own secret, so another lane could not refuse these drivers' records.
 *
 * @param pool connections to the lane, made as the operator role
 * @throws MoveRefusedError
 */
export async function refuseErasures(pool: Pool, fleetId: string, lane: number): Promise<void> {
  if ((await queryRow(pool, COUNT_ERASURES, [fleetId])).erasures === 0) return;
  throw new MoveRefusedError(
    `Drivers in fleet ${fleetId} have been erased in lane ${lane}, and only that lane can refuse their records: move other fleets instead.`,
  );
}

/** If a dead letter names only one fleet, ingest stores it in that fleet's lane. */
const COUNT_LETTERS = statement('count-open-dead-letters-of-fleet', { letters: 'number' })`
  SELECT count(*) AS letters FROM dead_letter WHERE resolution IS NULL AND fleets = ARRAY[$1::text]`;

/**
 * Refuses a move if the fleet still has open dead letters, because they would stay in its former lane and could not be
 * retried. Throws MoveRefusedError.
 */
export async function refuseDeadLetters(pool: Pool, fleetId: string, lane: number): Promise<void> {
  const { letters } = await queryRow(pool, COUNT_LETTERS, [fleetId]);
  if (letters === 0) return;
  const counted = letters === 1 ? '1 open dead letter' : `${letters} open dead letters`;
  throw new MoveRefusedError(
    `Lane ${lane} has ${counted} about fleet ${fleetId}: retry or discard them first. \`milepost dead-letters list --fleet ${fleetId}\` lists them.`,
  );
}
