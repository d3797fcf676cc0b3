import { inTransaction, type Pool, statement } from '@milepost/postgres';
import type { Projection } from '@milepost/projections/engine';
import { ReplayRefusedError } from './errors.ts';
import type { StartRequest } from './replay.ts';
import { insertReplay, openRequest, type Started } from './requests.ts';

/** A waiting replay catches up and is verified again, because its verification is out of date. */
const RENEW_REQUEST = statement('renew-replay-request')`
  UPDATE replay SET promote = promote OR $2, accept_differences = accept_differences OR $3,
    throttle = CASE WHEN phase = 'waiting' THEN $4 ELSE throttle END,
    error = CASE WHEN phase = 'waiting' THEN NULL ELSE error END,
    phase = CASE WHEN phase = 'waiting' THEN 'catching_up' ELSE phase END
  WHERE replay_id = $1`;

/**
 * Generation numbers are never reused, not even those of dropped generations. If no cutoff is requested, the new
 * generation gets the live generation's cutoff. Rows that retention has removed thus stay removed.
 */
const INSERT_GENERATION = statement('insert-replayed-generation', { generation: 'number' })`
  WITH earlier AS (
    SELECT max(generation) AS generation, max(cutoff) FILTER (WHERE live) AS cutoff FROM generation WHERE projection = $1)
  INSERT INTO generation (projection, generation, version, cutoff)
  SELECT $1, generation + 1, $2::integer, coalesce($3::date, cutoff) FROM earlier
  WHERE generation IS NOT NULL RETURNING generation`;

/**
 * Adds a projection to a replay. If a projection in `$4` has already been added with the same target and cutoff, the
 * fill of that earlier projection also fills the new projection's table.
 */
const INSERT_MEMBER = statement('insert-replay-member')`
  WITH member AS (
    SELECT live.checkpoint AS target, (
      SELECT first.projection FROM replay_member first
      JOIN generation built USING (projection, generation)
      JOIN generation own ON own.projection = $2 AND own.generation = $3
      WHERE first.replay_id = $1 AND first.projection = ANY ($4) AND first.filled_with IS NULL
        AND first.target = live.checkpoint AND built.cutoff IS NOT DISTINCT FROM own.cutoff) AS filled_with
    FROM generation live WHERE live.projection = $2 AND live.live)
  INSERT INTO replay_member (replay_id, projection, generation, target, filled_with)
  SELECT $1::bigint, $2, $3::integer, target, filled_with FROM member`;

/**
 * Requests a replay of one, several or all projections. If the same replay is already running, it adopts the request to
 * promote. A waiting replay catches up and is verified again.
 *
 * @param pool connections in the projector's or the operator's role
 * @throws ReplayRefusedError when another replay of one of the projections is running
 */
export async function startReplay(
  pool: Pool,
  projections: readonly Projection[],
  request: StartRequest,
): Promise<Started> {
  const { promote, acceptDifferences = false, throttle, cutoff = null } = request;
  return await inTransaction(pool, async (transaction) => {
    const asked = { ...request, kind: 'build' } as const;
    const { wanted, label, same } = await openRequest(transaction, projections, asked);
    if (same !== null) {
      await transaction.execute(RENEW_REQUEST, [same, promote, acceptDifferences, String(throttle)]);
      return { id: same, created: false };
    }
    const id = await insertReplay(transaction, { ...asked, projection: label, phase: 'filling' }, wanted);
    for (const projection of wanted) {
      const { name, version } = projection;
      const values = [name, version, cutoff];
      const [made] = await transaction.rows(INSERT_GENERATION, values);
      if (!made) throw new ReplayRefusedError({ code: 'no_read_table', projection: name });
      const sharing = wanted.filter(({ fill }) => fill === projection.fill).map((other) => other.name);
      await transaction.execute(INSERT_MEMBER, [id, name, made.generation, sharing]);
    }
    return { id, created: true };
  });
}
