import type { Statement, Transaction } from '@milepost/postgres';
import { type Projection, tableOf } from '@milepost/projections/engine';
import type { HeldGeneration } from './generations.ts';

const DELETE_PARTS: Statement = {
  name: 'erasure-delete-replay-parts',
  text: 'DELETE FROM projection.replay_part WHERE replay_id = $1 AND projection = $2',
};

const BEGIN_ANEW: Statement = {
  name: 'erasure-begin-filling-anew',
  text: 'UPDATE projection.replay_member SET stage = NULL WHERE replay_id = $1 AND projection = $2',
};

/** Parts that are done are looked at for the progress alone, and what they went from and to may be a driver's id. */
const FORGET_BOUNDARIES: Statement = {
  name: 'erasure-forget-boundaries',
  text: `UPDATE projection.replay_part SET after_key = '{}', through_key = '{}' WHERE replay_id = $1 AND projection = $2`,
};

/**
 * Lets the filling of a generation begin anew: its scratch tables, and the boundaries of its parts, name drivers in an
 * order in which a pseudonym has another place.
 */
export async function beginAnew(
  transaction: Transaction,
  projection: Projection,
  { generation, filling }: HeldGeneration,
): Promise<void> {
  const table = tableOf(projection.name, generation);
  const scratch = projection.fill.scratch(table).map(({ name }) => name);
  for (const each of [table, ...scratch]) await transaction.run(`DROP TABLE IF EXISTS ${each}`);
  await transaction.execute(DELETE_PARTS, [filling?.replayId, projection.name]);
  await transaction.execute(BEGIN_ANEW, [filling?.replayId, projection.name]);
}

/** Empties what only the filling needed, of a generation that is filled and waits for its indexes. */
export async function emptyScratch(
  transaction: Transaction,
  projection: Projection,
  { generation, filling }: HeldGeneration,
): Promise<void> {
  for (const { name } of projection.fill.scratch(tableOf(projection.name, generation))) {
    await transaction.run(`TRUNCATE ${name}`);
  }
  await transaction.execute(FORGET_BOUNDARIES, [filling?.replayId, projection.name]);
}
