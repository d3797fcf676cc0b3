import { type RowOf, statement, type Transaction } from '@milepost/postgres';
import { type ErasedSubject, type Projection, scratchTables, tableOf } from '@milepost/projections/engine';
import { stopGenerations } from '@milepost/replay';
import { eraseFromReplays } from './reports.ts';

/**
 * A generation that has or may have a table. `replay_id` and the fields after it become null once the generation's
 * replay has built the indexes.
 */
type LockedGeneration = RowOf<typeof READ_LOCKED_GENERATIONS>;

/**
 * The replay members need not be locked, because the lock on generations prevents planning, fills and index builds
 * until the transaction ends.
 */
const READ_LOCKED_GENERATIONS = statement('read-locked-generations', {
  projection: 'text',
  generation: 'number',
  replay_id: 'number?',
  stage: 'number?',
  filled: 'boolean?',
  filled_with: 'text?',
})`
  SELECT projection, generation, replay_id, stage, filled, filled_with FROM generation
  LEFT JOIN (SELECT * FROM replay_member WHERE active AND NOT indexed) member USING (projection, generation)
  WHERE dropped_at IS NULL ORDER BY projection, generation`;

/** Deletes the plan, so that the fill starts over. */
const RESTART_FILL = statement('erasure-restart-fill')`
  WITH chunk AS (DELETE FROM replay_chunk WHERE replay_id = $1 AND projection = $2)
  UPDATE replay_member SET stage = NULL WHERE replay_id = $1 AND projection = $2`;

/**
 * Removes the boundaries of finished chunks, because a boundary may be a driver's id. Only the progress report still
 * needs these chunks.
 */
const CLEAR_BOUNDARIES = statement('erasure-clear-boundaries')`
  UPDATE replay_chunk SET after_key = '{}', through_key = '{}' WHERE replay_id = $1 AND projection = $2`;

/**
 * Locks all generations until the transaction ends. Returns the locked generations.
 *
 * @param transaction a transaction that acts as the projector role
 */
export async function lockAllGenerations(transaction: Transaction): Promise<LockedGeneration[]> {
  await stopGenerations(transaction);
  return await transaction.rows(READ_LOCKED_GENERATIONS);
}

/**
 * Erases a driver from every generation, whether live, kept or being built, and from the reports of replays. The same
 * transaction has already changed the log, so afterwards each table equals a fold of the changed log.
 *
 * @param transaction a transaction that acts as the projector role
 * @param locked the result of `lockAllGenerations` in the same transaction
 */
export async function eraseFromGenerations(
  transaction: Transaction,
  projections: readonly Projection[],
  locked: readonly LockedGeneration[],
  subject: ErasedSubject,
): Promise<void> {
  for (const { projection: name, generation, replay_id, stage, filled, filled_with } of locked) {
    const projection = projections.find((candidate) => candidate.name === name);
    if (!projection) {
      throw new Error(
        `Generation ${generation} belongs to projection ${name}, which this release does not recognize, so no driver can be erased from it: drop the generation, or use the release that created it.`,
      );
    }
    const table = tableOf(name, generation);
    const scratch = filled_with === null ? scratchTables(projection.fill, table).map((each) => each.name) : [];
    if (replay_id === null || filled) await projection.erase?.(transaction, table, subject);
    if (replay_id === null) continue;
    if (filled) {
      // Only the fill needed these tables, and the fill has finished.
      for (const each of scratch) await transaction.run(`TRUNCATE ${each}`);
      await transaction.execute(CLEAR_BOUNDARIES, [replay_id, name]);
    } else if (stage !== null) {
      // Scratch tables and chunk boundaries order drivers by id, and a pseudonym has a different place in that order.
      // The fill therefore has to drop the tables and create them again.
      for (const each of [table, ...scratch]) await transaction.run(`TRUNCATE ${each}`);
      await transaction.execute(RESTART_FILL, [replay_id, name]);
    }
  }
  await eraseFromReplays(transaction);
}
