import type { Statement, Transaction } from '@milepost/postgres';
import type { Replay } from '../replay.ts';

export interface Droppable {
  projection: string;
  generation: number;
}

/**
 * A cancelled roll back leaves the generation it wanted to bring back as it is. What another replay works on at this
 * moment, or what the one that is live now would be rolled back to, is none of ours.
 */
const LIST_DROPPABLE: Statement = {
  name: 'list-droppable-generations',
  text: `SELECT generation.projection, generation.generation FROM projection.replay_member member
         JOIN projection.generation generation ON generation.projection = member.projection
           AND ((generation.generation = member.generation AND ($2 = 'build' OR $3 = 'dropping'))
             OR (generation.generation = member.replaced_generation AND $3 = 'dropping'))
         WHERE member.replay_id = $1 AND NOT generation.live AND generation.dropped_at IS NULL
           AND NOT EXISTS (SELECT FROM projection.replay_member other WHERE other.projection = generation.projection
             AND other.generation = generation.generation AND other.active AND other.replay_id <> $1)
           AND NOT EXISTS (SELECT FROM projection.replay_member newer JOIN projection.generation live USING (projection, generation)
             WHERE newer.projection = generation.projection AND newer.replaced_generation = generation.generation
               AND live.live AND newer.replay_id > $1)
         ORDER BY 1, 2 FOR UPDATE OF generation`,
};

/** The generations that a replay has built or replaced and that nobody needs any more. */
export async function listDroppable(transaction: Transaction, { id, kind, phase }: Replay): Promise<Droppable[]> {
  return await transaction.rows<Droppable>(LIST_DROPPABLE, [id, kind, phase]);
}

const HAS_LIVE_MEMBER: Statement = {
  name: 'has-live-replay-member',
  text: `SELECT FROM projection.replay_member JOIN projection.generation USING (projection, generation)
         WHERE replay_id = $1 AND live LIMIT 1`,
};

/** Whether a generation that the replay built, or brought back, is live. */
export async function hasLiveMember(transaction: Transaction, id: number): Promise<boolean> {
  return (await transaction.execute(HAS_LIVE_MEMBER, [id])) > 0;
}

const MARK_DROPPED: Statement = {
  name: 'mark-generations-dropped',
  text: `UPDATE projection.generation SET dropped_at = now()
         WHERE (projection, generation) IN (SELECT * FROM unnest($1::text[], $2::integer[]))`,
};

export async function markDropped(transaction: Transaction, dropped: readonly Droppable[]): Promise<void> {
  await transaction.execute(MARK_DROPPED, [
    dropped.map(({ projection }) => projection),
    dropped.map(({ generation }) => generation),
  ]);
}

const DELETE_PARTS: Statement = {
  name: 'delete-replay-parts',
  text: 'DELETE FROM projection.replay_part WHERE replay_id = $1',
};

/** Removes what is left of a plan. */
export async function deleteParts(transaction: Transaction, id: number): Promise<void> {
  await transaction.execute(DELETE_PARTS, [id]);
}
