import type { Statement, Transaction } from '@milepost/postgres';
import { lockPreparation } from '@milepost/projections/engine';
import { lockRequests, stopBuilding } from '@milepost/replay';

/** A generation that has, or may have, a table. `filling`: of a replay that has not built its indexes yet. */
export interface HeldGeneration {
  projection: string;
  generation: number;
  filling: { replayId: number; stage: number | null; filled: boolean } | null;
}

/** In the order in which all others lock generations, see sql/live-generations.ts. */
const LOCK_ALL: Statement = {
  name: 'lock-all-generations',
  text: `SELECT projection, generation FROM projection.generation
         WHERE dropped_at IS NULL ORDER BY projection, generation FOR UPDATE`,
};

/** Not locked: nobody plans, fills or builds indexes until the transaction ends. */
const READ_FILLING: Statement = {
  name: 'read-filling-members',
  text: `SELECT projection, generation, replay_id AS "replayId", stage, filled FROM projection.replay_member
         WHERE NOT indexed AND active`,
};

/**
 * Locks every generation until the transaction ends, so that no projector, catching up or part of a replay is under way,
 * and lets no new generation appear: its parts would read the log as it was.
 *
 * @param transaction in the projector's role
 */
export async function holdGenerations(transaction: Transaction): Promise<HeldGeneration[]> {
  await lockRequests(transaction);
  await lockPreparation(transaction);
  // Before the generations: their locks stop the projector, which need not wait for the end of an index build.
  await stopBuilding(transaction);
  const generations = await transaction.rows<Omit<HeldGeneration, 'filling'>>(LOCK_ALL);
  const members = await transaction.rows<
    Omit<HeldGeneration, 'filling'> & { replayId: number; stage: number | null; filled: boolean }
  >(READ_FILLING);
  return generations.map(({ projection, generation }) => {
    const member = members.find((each) => each.projection === projection && each.generation === generation);
    return { projection, generation, filling: member ?? null };
  });
}
