import type { Statement, Transaction } from '@milepost/postgres';
import type { Generation } from '@milepost/projections/engine';

/** First, because at most one generation of a projection may be live. */
const RETIRE: Statement = {
  name: 'retire-generations',
  text: `UPDATE projection.generation SET live = false, retired_at = now(), failed_position = NULL, failure = NULL
         WHERE (projection, generation) IN (SELECT * FROM unnest($1::text[], $2::integer[]))`,
};

const MAKE_LIVE: Statement = {
  name: 'make-generations-live',
  text: `UPDATE projection.generation SET live = true, retired_at = NULL, failed_position = NULL, failure = NULL
         WHERE (projection, generation) IN (SELECT * FROM unnest($1::text[], $2::integer[]))`,
};

const RECORD_REPLACED: Statement = {
  name: 'record-replaced-generations',
  text: `UPDATE projection.replay_member member SET replaced_generation = replaced.generation
         FROM unnest($2::text[], $3::integer[]) AS replaced (projection, generation)
         WHERE member.replay_id = $1 AND member.projection = replaced.projection`,
};

/** Makes one set of generations live in place of another, and keeps in mind which. */
export async function swapLive(
  transaction: Transaction,
  replayId: number,
  from: readonly Generation[],
  to: readonly Generation[],
): Promise<void> {
  const keys = (generations: readonly Generation[]) => [
    generations.map(({ projection }) => projection),
    generations.map(({ generation }) => generation),
  ];
  await transaction.execute(RETIRE, keys(from));
  await transaction.execute(MAKE_LIVE, keys(to));
  await transaction.execute(RECORD_REPLACED, [replayId, ...keys(from)]);
}
