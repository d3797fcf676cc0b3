import { inTransaction, nullable, number, type Pool, statement } from '@milepost/postgres';
import type { Projection } from '@milepost/projections/engine';
import { ReplayRefusedError } from './errors.ts';
import type { StartRequest } from './replay.ts';
import { insertReplay, openRequest, type Started } from './requests.ts';

/** One that waits was verified some time ago: it is caught up and verified anew. */
const RENEW_REQUEST = statement('renew-replay-request')`
  UPDATE projection.replay SET promote = promote OR $2, accept_differences = accept_differences OR $3,
    throttle = CASE WHEN phase = 'waiting' THEN $4 ELSE throttle END,
    error = CASE WHEN phase = 'waiting' THEN NULL ELSE error END,
    phase = CASE WHEN phase = 'waiting' THEN 'catching_up' ELSE phase END
  WHERE replay_id = $1`;

/** Numbers are never used twice, dropped generations keep theirs. What retention has left out stays out. */
const INSERT_GENERATION = statement('insert-replayed-generation', { generation: nullable(number) })`
  INSERT INTO projection.generation (projection, generation, version, cutoff)
  SELECT $1, max(generation) + 1, $2, coalesce($3::date, max(cutoff) FILTER (WHERE live))
  FROM projection.generation WHERE projection = $1 RETURNING generation`;

/** Is filled together with the first of the projections in `$4`, whose fill is the same, where it shows the same trips. */
const INSERT_MEMBER = statement('insert-replay-member')`
  INSERT INTO projection.replay_member (replay_id, projection, generation, target, filled_with)
  SELECT $1, $2, $3, live.checkpoint, (
    SELECT first.projection FROM projection.replay_member first
    JOIN projection.generation built USING (projection, generation)
    JOIN projection.generation own ON own.projection = $2 AND own.generation = $3
    WHERE first.replay_id = $1 AND first.projection = ANY ($4) AND first.filled_with IS NULL
      AND first.target = live.checkpoint AND built.cutoff IS NOT DISTINCT FROM own.cutoff)
  FROM projection.generation live WHERE live.projection = $2 AND live.live`;

/**
 * Asks for a replay of one projection, of several or of all. Asked twice, the one that is under way answers, and takes over
 * the wish to promote; one that waits is caught up and verified anew.
 *
 * @param pool connections in the projector's or the operator's role
 * @throws ReplayRefusedError when one of the projections is being replayed by another replay
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
    for (const { name, version, fill } of wanted) {
      const values = [name, version, cutoff];
      const [made] = await transaction.rows(INSERT_GENERATION, values);
      if (!made?.generation) throw new ReplayRefusedError({ code: 'no_read_table', projection: name });
      const sharing = wanted.filter((other) => other.fill === fill).map((other) => other.name);
      await transaction.execute(INSERT_MEMBER, [id, name, made.generation, sharing]);
    }
    return { id, created: true };
  });
}
