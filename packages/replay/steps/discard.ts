import { inTransaction, type Pool, type Transaction } from '@milepost/postgres';
import { type Projection, tableOf } from '@milepost/projections/engine';
import type { Phase, Replay } from '../replay.ts';
import { lockRequests } from '../sql/active.ts';
import { deleteParts, hasLiveMember, listDroppable, markDropped } from '../sql/droppable.ts';
import { setPhase } from '../sql/set-phase.ts';

/** Long enough for a reader that still has the table open; then the whole is tried again. */
const LOCK_TIMEOUT_MILLISECONDS = 2_000;

async function dropTables(transaction: Transaction, projections: readonly Projection[], replay: Replay) {
  await transaction.run(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MILLISECONDS}`);
  const droppable = await listDroppable(transaction, replay);
  for (const { projection: name, generation } of droppable) {
    const table = tableOf(name, generation);
    // A projection that this release no longer has leaves at most its scratch tables behind, which share the name.
    const scratch = projections.find((projection) => projection.name === name)?.fill.scratch(table) ?? [];
    for (const each of [table, ...scratch.map((one) => one.name)])
      await transaction.run(`DROP TABLE IF EXISTS ${each}`);
  }
  await markDropped(transaction, droppable);
  await deleteParts(transaction, replay.id);
}

/** A replay whose own generations are live stays promoted: only what it replaced is gone. */
async function phaseAfterDrop(transaction: Transaction, id: number): Promise<Phase> {
  return (await hasLiveMember(transaction, id)) ? 'promoted' : 'dropped';
}

/**
 * Drops what a replay has left: a cancelled one's unfinished generations, or, on request, whichever generations it built
 * or replaced and that are not live. Also done when nothing was made yet, and safe to repeat.
 */
export async function discard(
  pool: Pool,
  projections: readonly Projection[],
  replay: Replay,
  epoch: number,
): Promise<void> {
  await inTransaction(pool, async (transaction) => {
    // A roll back asked for meanwhile must not choose what is being dropped.
    await lockRequests(transaction);
    await dropTables(transaction, projections, replay);
    const end = replay.phase === 'cancelling' ? 'cancelled' : await phaseAfterDrop(transaction, replay.id);
    await setPhase(transaction, replay, epoch, end);
  });
}
