import type { Statement, Transaction } from '@milepost/postgres';
import type { Phase, Replay, StartRequest } from '../replay.ts';

/**
 * The target is where the live generations are, not the head: where these stand still, as at a stored event that their
 * code cannot apply, the new ones could not be compared and exchanged at a later position.
 */
const INSERT_REPLAY: Statement = {
  name: 'insert-replay',
  text: `INSERT INTO projection.replay (kind, projection, phase, target, horizon, promote, accept_differences, throttle, requested_by)
         SELECT $1, $2, $3, coalesce(max(checkpoint), 0), $4, $5, $6, $7, $8
         FROM projection.generation WHERE live AND projection = ANY ($9) RETURNING replay_id AS id`,
};

/** Writes a replay down and returns its id. */
export async function insertReplay(
  transaction: Transaction,
  request: StartRequest & { kind: Replay['kind']; phase: Phase },
  names: readonly string[],
): Promise<number> {
  const { kind, projection, phase, horizon, promote, acceptDifferences, throttle, requestedBy } = request;
  const values = [kind, projection, phase, horizon ?? null, promote, acceptDifferences ?? false, String(throttle)];
  const [row] = await transaction.rows<{ id: number }>(INSERT_REPLAY, [...values, requestedBy, names]);
  if (!row) throw new Error('The replay was not written down.');
  return row.id;
}
