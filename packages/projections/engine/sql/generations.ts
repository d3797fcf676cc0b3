import type { Statement, Transaction } from '@milepost/postgres';
import type { Generation } from './live-generations.ts';

/** Locked in the order in which live generations are, see live-generations.ts. */
const LOCK_GENERATIONS: Statement = {
  name: 'lock-generations',
  text: `SELECT projection, generation, version, checkpoint FROM projection.generation
         WHERE (projection, generation) IN (SELECT * FROM unnest($1::text[], $2::integer[]))
         ORDER BY projection, generation FOR UPDATE`,
};

/** The generations named, live or not, locked until the transaction ends. */
export async function lockGenerations(
  transaction: Transaction,
  wanted: readonly { projection: string; generation: number }[],
): Promise<Generation[]> {
  return await transaction.rows<Generation>(LOCK_GENERATIONS, [
    wanted.map(({ projection }) => projection),
    wanted.map(({ generation }) => generation),
  ]);
}

const LIVE_CHECKPOINTS: Statement = {
  name: 'live-checkpoints',
  text: 'SELECT projection, checkpoint FROM projection.generation WHERE live AND projection = ANY ($1)',
};

/** How far the live generations of the projections named have come, by their names. */
export async function liveCheckpoints(
  transaction: Transaction,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await transaction.rows<{ projection: string; checkpoint: number }>(LIVE_CHECKPOINTS, [names]);
  return new Map(rows.map((row) => [row.projection, row.checkpoint]));
}
