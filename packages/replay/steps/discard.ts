import { inTransaction, number, type Pool, statement, type Transaction, text } from '@milepost/postgres';
import { type Projection, tableOf } from '@milepost/projections/engine';
import { setPhase } from '../lease.ts';
import type { Replay } from '../replay.ts';
import { lockRequests } from '../requests.ts';

/** Long enough for a reader that still has the table open; then the whole is tried again. */
const LOCK_TIMEOUT_MILLISECONDS = 2_000;

/**
 * The generations that a replay has built or replaced and that nobody needs any more. A cancelled roll back leaves the generation it wanted to bring back as it is. What another replay works on at this
 * moment, or what the one that is live now would be rolled back to, is none of ours.
 */
const LIST_DROPPABLE = statement('list-droppable-generations', { projection: text, generation: number })`
  SELECT generation.projection, generation.generation FROM projection.replay_member member
  JOIN projection.generation generation ON generation.projection = member.projection
    AND ((generation.generation = member.generation AND ($2 = 'build' OR $3 = 'dropping'))
      OR (generation.generation = member.replaced_generation AND $3 = 'dropping'))
  WHERE member.replay_id = $1 AND NOT generation.live AND generation.dropped_at IS NULL
    AND NOT EXISTS (SELECT FROM projection.replay_member other WHERE other.projection = generation.projection
      AND other.generation = generation.generation AND other.active AND other.replay_id <> $1)
    AND NOT EXISTS (SELECT FROM projection.replay_member newer JOIN projection.generation live USING (projection, generation)
      WHERE newer.projection = generation.projection AND newer.replaced_generation = generation.generation
        AND live.live AND newer.replay_id > $1)
  ORDER BY 1, 2 FOR UPDATE OF generation`;

/** Whether a generation that the replay built, or brought back, is live. */
const HAS_LIVE_MEMBER = statement('has-live-replay-member')`
  SELECT FROM projection.replay_member JOIN projection.generation USING (projection, generation)
  WHERE replay_id = $1 AND live LIMIT 1`;

const MARK_DROPPED = statement('mark-generations-dropped')`
  UPDATE projection.generation SET dropped_at = now()
  WHERE (projection, generation) IN (SELECT * FROM unnest($1::text[], $2::integer[]))`;

const DELETE_CHUNKS = statement('delete-replay-chunks')`DELETE FROM projection.replay_chunk WHERE replay_id = $1`;

async function dropTables(transaction: Transaction, projections: readonly Projection[], { id, kind, phase }: Replay) {
  await transaction.run(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MILLISECONDS}`);
  const droppable = await transaction.rows(LIST_DROPPABLE, [id, kind, phase]);
  for (const { projection: name, generation } of droppable) {
    const table = tableOf(name, generation);
    // A projection that this release no longer has leaves at most its scratch tables behind, which share the name.
    const scratch = projections.find((projection) => projection.name === name)?.fill.scratch(table) ?? [];
    for (const each of [table, ...scratch.map((one) => one.name)])
      await transaction.run(`DROP TABLE IF EXISTS ${each}`);
  }
  const names = droppable.map(({ projection }) => projection);
  await transaction.execute(MARK_DROPPED, [names, droppable.map(({ generation }) => generation)]);
  await transaction.execute(DELETE_CHUNKS, [id]);
}

/**
 * Drops what a replay has left: a cancelled one's unfinished generations, or, on request, whichever generations it built
 * or replaced and that are not live. Also done when nothing was made yet, and safe to repeat.
 */
export async function discard(
  pool: Pool,
  projections: readonly Projection[],
  replay: Replay,
  epoch: number,
): Promise<void> {
  await inTransaction(pool, async (transaction) => {
    // A roll back asked for meanwhile must not choose what is being dropped.
    await lockRequests(transaction);
    await dropTables(transaction, projections, replay);
    // A replay whose own generations are live stays promoted: only what it replaced is gone.
    const isLive = (await transaction.execute(HAS_LIVE_MEMBER, [replay.id])) > 0;
    const end = replay.phase === 'cancelling' ? 'cancelled' : isLive ? 'promoted' : 'dropped';
    await setPhase(transaction, replay, epoch, end);
  });
}
