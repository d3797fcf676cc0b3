import type { Transaction } from '@milepost/postgres';
import { type ErasedSubject, type Projection, tableOf } from '@milepost/projections/engine';
import { beginAnew, emptyScratch } from './filling.ts';
import type { HeldGeneration } from './generations.ts';
import { eraseFromReplays } from './reports.ts';

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
  for (const each of held) {
    const projection = projections.find(({ name }) => name === each.projection);
    if (!projection) {
      throw new Error(
        `Generation ${each.generation} belongs to the projection ${each.projection}, which this release does not know, so nobody can be erased from it: drop it, or use the release that made it.`,
      );
    }
    const { filling } = each;
    if (filling !== null && !filling.filled) {
      if (filling.stage !== null) await beginAnew(transaction, projection, each);
      continue;
    }
    await projection.erase(transaction, tableOf(projection.name, each.generation), subject);
    if (filling !== null) await emptyScratch(transaction, projection, each);
  }
  await eraseFromReplays(transaction, subject);
}
