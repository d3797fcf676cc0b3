import { boolean, nullable, number, type RowOf, statement, type Transaction, text } from '@milepost/postgres';
import { type ErasedSubject, lockPreparation, type Projection, tableOf } from '@milepost/projections/engine';
import { lockRequests, stopBuilding } from '@milepost/replay';
import { eraseFromReplays } from './reports.ts';

/** A generation that has, or may have, a table. `replay_id` and the rest: of a replay that has not built its indexes yet. */
type HeldGeneration = RowOf<typeof READ_HELD>;

/** In the order in which all others lock generations, see checkpoints.ts of the engine. */
const LOCK_ALL = statement('lock-all-generations')`
  SELECT FROM projection.generation WHERE dropped_at IS NULL ORDER BY projection, generation FOR UPDATE`;

/** The members of replays are not locked: nobody plans, fills or builds indexes until the transaction ends. */
const READ_HELD = statement('read-held-generations', {
  projection: text,
  generation: number,
  replay_id: nullable(number),
  stage: nullable(number),
  filled: nullable(boolean),
  filled_with: nullable(text),
})`
  SELECT projection, generation, replay_id, stage, filled, filled_with FROM projection.generation
  LEFT JOIN (SELECT * FROM projection.replay_member WHERE active AND NOT indexed) member USING (projection, generation)
  WHERE dropped_at IS NULL ORDER BY projection, generation`;

/** The plan goes, so that the filling begins anew. */
const BEGIN_ANEW = statement('erasure-begin-filling-anew')`
  WITH chunk AS (DELETE FROM projection.replay_chunk WHERE replay_id = $1 AND projection = $2)
  UPDATE projection.replay_member SET stage = NULL WHERE replay_id = $1 AND projection = $2`;

/** Chunks that are done are looked at for the progress alone, and what they went from and to may be a driver's id. */
const FORGET_BOUNDARIES = statement('erasure-forget-boundaries')`
  UPDATE projection.replay_chunk SET after_key = '{}', through_key = '{}' WHERE replay_id = $1 AND projection = $2`;

/**
 * Locks every generation until the transaction ends, so that no projector, catching up or chunk of a replay runs,
 * and lets no new generation appear: its chunks would read the log as it was.
 *
 * @param transaction in the projector's role
 */
export async function holdGenerations(transaction: Transaction): Promise<HeldGeneration[]> {
  await lockRequests(transaction);
  await lockPreparation(transaction);
  // Before the generations: their locks stop the projector, which need not wait for the end of an index build.
  await stopBuilding(transaction);
  await transaction.execute(LOCK_ALL);
  return await transaction.rows(READ_HELD);
}

/**
 * Takes a driver out of every generation there is, live, kept or being built, and out of the reports of replays. The log
 * has been changed in the same transaction: afterwards each table holds what a fold of the log as it is now would give.
 *
 * @param transaction in the projector's role
 * @param held what `holdGenerations` has locked in the same transaction
 */
export async function eraseFromGenerations(
  transaction: Transaction,
  projections: readonly Projection[],
  held: readonly HeldGeneration[],
  subject: ErasedSubject,
): Promise<void> {
  for (const { projection: name, generation, replay_id, stage, filled, filled_with } of held) {
    const projection = projections.find((candidate) => candidate.name === name);
    if (!projection) {
      throw new Error(
        `Generation ${generation} belongs to the projection ${name}, which this release does not know, so nobody can be erased from it: drop it, or use the release that made it.`,
      );
    }
    const table = tableOf(name, generation);
    const scratch = filled_with === null ? projection.fill.scratch(table).map((each) => each.name) : [];
    if (replay_id === null || filled) await projection.erase(transaction, table, subject);
    if (replay_id === null) continue;
    if (filled) {
      // Only the filling needed them, and it is done.
      for (const each of scratch) await transaction.run(`TRUNCATE ${each}`);
      await transaction.execute(FORGET_BOUNDARIES, [replay_id, name]);
    } else if (stage !== null) {
      // Scratch tables and boundaries of chunks name drivers in an order in which a pseudonym has another place.
      for (const each of [table, ...scratch]) await transaction.run(`DROP TABLE IF EXISTS ${each}`);
      await transaction.execute(BEGIN_ANEW, [replay_id, name]);
    }
  }
  await eraseFromReplays(transaction, subject);
}
