import { type Pool, statement, type Transaction } from '@milepost/postgres';
import { inDefinition } from '@milepost/postgres/definition';
import { lockSchema } from '@milepost/postgres/schema-lock';
import { changeGenerations, keysOf, type Projection, scratchTables, tableOf } from '@milepost/projections/engine';
import { setPhase } from '../lease.ts';
import type { Replay } from '../replay.ts';

/** The time allowed for readers to finish with the table. After this time, the whole transaction is retried. */
const LOCK_TIMEOUT_MILLISECONDS = 2_000;

/**
 * Lists the generations that the replay built or replaced and that are no longer needed. A cancelled rollback keeps the
 * generation that it would have restored. Generations are also kept if another running replay needs them, or if a
 * rollback from the live generation would restore them.
 */
const LIST_DROPPABLE = statement('list-droppable-generations', { projection: 'text', generation: 'number' })`
  SELECT generation.projection, generation.generation FROM replay_member member
  JOIN generation generation ON generation.projection = member.projection
    AND ((generation.generation = member.generation AND ($2 = 'build' OR $3 = 'dropping'))
      OR (generation.generation = member.replaced_generation AND $3 = 'dropping'))
  WHERE member.replay_id = $1 AND NOT generation.live AND generation.dropped_at IS NULL
    AND NOT EXISTS (SELECT FROM replay_member other WHERE other.projection = generation.projection
      AND other.generation = generation.generation AND other.active AND other.replay_id <> $1)
    AND NOT EXISTS (SELECT FROM replay_member newer JOIN generation live USING (projection, generation)
      WHERE newer.projection = generation.projection AND newer.replaced_generation = generation.generation
        AND live.live AND newer.replay_id > $1)
  ORDER BY 1, 2 FOR UPDATE OF generation`;

/** Whether a generation that the replay built or restored is live. */
const HAS_LIVE_MEMBER = statement('has-live-replay-member')`
  SELECT FROM replay_member JOIN generation USING (projection, generation)
  WHERE replay_id = $1 AND live LIMIT 1`;

const MARK_DROPPED = changeGenerations('mark-generations-dropped', 'dropped_at = now()');

const DELETE_CHUNKS = statement('delete-replay-chunks')`DELETE FROM replay_chunk WHERE replay_id = $1`;

async function dropTables(transaction: Transaction, projections: readonly Projection[], { id, kind, phase }: Replay) {
  await transaction.run(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MILLISECONDS}`);
  const droppable = await transaction.rows(LIST_DROPPABLE, [id, kind, phase]);
  for (const { projection: name, generation } of droppable) {
    const table = tableOf(name, generation);
    // Only the projection's code contains the names of scratch tables, so without that code, the tables remain.
    const projection = projections.find((candidate) => candidate.name === name);
    const scratch = projection ? scratchTables(projection.fill, table) : [];
    for (const each of [table, ...scratch.map((one) => one.name)])
      await transaction.run(`DROP TABLE IF EXISTS ${each}`);
  }
  await transaction.execute(MARK_DROPPED, keysOf(droppable));
  await transaction.execute(DELETE_CHUNKS, [id]);
}

/**
 * Drops a replay's generations, except live ones. After a cancellation, this drops the replay's unfinished generations.
 * After an operator's request to drop, it drops all generations that the replay built or replaced. The function is
 * idempotent.
 */
export async function discard(pool: Pool, projections: readonly Projection[], replay: Replay): Promise<void> {
  // The lock keeps a concurrent rollback from selecting a generation that is being dropped.
  await inDefinition(pool, lockSchema('request'), async (transaction) => {
    await dropTables(transaction, projections, replay);
    // A replay whose own generations are live stays promoted, because only the generations that it replaced are
    // dropped.
    const isLive = (await transaction.execute(HAS_LIVE_MEMBER, [replay.id])) > 0;
    const end = replay.phase === 'cancelling' ? 'cancelled' : isLive ? 'promoted' : 'dropped';
    await setPhase(transaction, replay, end);
  });
}
