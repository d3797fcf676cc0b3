import type { Statement, Transaction } from '@milepost/postgres';
import { CheckpointMovedError } from '../errors.ts';
import type { PositionRange } from '../fill.ts';
import type { Generation } from './live-generations.ts';

const MOVE_CHECKPOINTS: Statement = {
  name: 'move-checkpoints',
  text: `UPDATE projection.generation SET checkpoint = $2, failed_position = NULL, failure = NULL
         WHERE checkpoint = $1 AND (projection, generation) IN (SELECT * FROM unnest($3::text[], $4::integer[]))`,
};

/** Moves the checkpoints of generations by compare-and-set, in the transaction that wrote their rows. */
export async function moveCheckpoints(
  transaction: Transaction,
  generations: readonly Generation[],
  { after, through }: PositionRange,
): Promise<void> {
  const names = generations.map(({ projection }) => projection);
  const numbers = generations.map(({ generation }) => generation);
  const moved = await transaction.execute(MOVE_CHECKPOINTS, [after, through, names, numbers]);
  if (moved !== generations.length) throw new CheckpointMovedError(names, after);
}
