import type { Statement, Transaction } from '@milepost/postgres';
import { CheckpointMovedError } from '../errors.ts';
import type { PositionRange } from '../projection.ts';
import type { Generation } from './live-generations.ts';

const MOVE_CHECKPOINT: Statement = {
  name: 'move-checkpoint',
  text: `UPDATE projection.generation SET checkpoint = $4, failed_position = NULL, failure = NULL
         WHERE projection = $1 AND generation = $2 AND checkpoint = $3`,
};

/** Moves a generation's checkpoint by compare-and-set, in the transaction that wrote its rows. */
export async function moveCheckpoint(
  transaction: Transaction,
  { projection, generation }: Generation,
  { after, through }: PositionRange,
): Promise<void> {
  const moved = await transaction.execute(MOVE_CHECKPOINT, [projection, generation, after, through]);
  if (moved !== 1) throw new CheckpointMovedError(projection, after);
}
