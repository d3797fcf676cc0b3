import { setTimeout as delay } from 'node:timers/promises';
import { inTransaction, type Pool, sqlState, type Transaction } from '@milepost/postgres';
import {
  applyNext,
  type Generation,
  lockLiveGenerations,
  ProjectionFailedError,
  tableOf,
  viewOf,
} from '@milepost/projections/engine';
import type { StepContext } from '../replay.ts';
import { setPhase } from '../sql/set-phase.ts';
import { swapLive } from '../sql/swap-live.ts';
import type { Throttled } from '../throttle/throttled.ts';
import { catchUp, lockMembers } from './catch-up.ts';

/** How long readers may have to wait behind us for all views together; then we step back and let them pass. */
const LOCK_BUDGET_MILLISECONDS = 25;
const LOCK_NOT_AVAILABLE = '55P03';
/** Some positions may be left for the promotion's own transaction, in which the live projector waits. */
const MOST_POSITIONS_LEFT = 200;

/** More was stored meanwhile than the promotion's own transaction should apply. */
class StillBehind extends Error {}

/**
 * Points the views at other tables and commits. All locks together are waited for no longer than the budget. It is one
 * message to the server: with the locks held, it must not wait for us, who may be slow, far away, or stopped. Statements
 * that read several views should name them in the order given here, or the two wait for each other until the budget is spent.
 */
async function pointViews(transaction: Transaction, generations: readonly Generation[]): Promise<void> {
  const exchanges = generations.map(({ projection, generation }) => {
    const view = viewOf(projection);
    // Made anew instead of replaced: another version's table may have other columns.
    return `PERFORM set_config('lock_timeout', greatest(1, floor(1000 * extract(epoch FROM deadline - clock_timestamp())))::text, true);
      DROP VIEW ${view}; CREATE VIEW ${view} AS SELECT * FROM ${tableOf(projection, generation)};`;
  });
  await transaction.run(`DO $$ DECLARE deadline timestamptz := clock_timestamp() + interval '${LOCK_BUDGET_MILLISECONDS} ms';
    BEGIN ${exchanges.join(' ')} END $$; COMMIT`);
}

async function promoteOnce(pool: Pool, { replay, epoch, members }: StepContext): Promise<void> {
  const names = members.map(({ projection }) => projection.name);
  await inTransaction(pool, async (transaction) => {
    const live = await lockLiveGenerations(transaction, names);
    const advancing = await lockMembers(transaction, members);
    // Before the views are locked: readers go on while the last positions are applied.
    const applied = await applyNext(transaction, advancing, MOST_POSITIONS_LEFT);
    const isBehind = advancing.some(({ generation: { checkpoint }, limit }) => {
      return (checkpoint === applied?.after ? applied.through : checkpoint) < limit;
    });
    if (isBehind) throw new StillBehind();
    const replayed = advancing.map(({ generation }) => generation);
    // Readers wait for the commit too, and need not for the disk: lost in a crash, all of it is lost and done again.
    await transaction.run('SET LOCAL synchronous_commit = off');
    await swapLive(transaction, replay.id, live, replayed);
    await setPhase(transaction, replay, epoch, 'promoted');
    await pointViews(transaction, replayed);
  });
}

/** Whether the promotion is tried again, after a catching up that also says which stored event cannot be applied. */
function stepsBack(error: unknown): boolean {
  const isInTheWay = sqlState(error) === LOCK_NOT_AVAILABLE;
  return isInTheWay || error instanceof StillBehind || error instanceof ProjectionFailedError;
}

/**
 * Makes the replay's generations the live ones, all in one short transaction: from one moment to the next every reader
 * sees the new tables. A reader in a long transaction makes it step back and try again, never wait in front of others.
 */
export async function promote(pool: Pool, context: StepContext, throttled: Throttled): Promise<void> {
  for (;;) {
    await catchUp(pool, context, throttled);
    try {
      return await promoteOnce(pool, context);
    } catch (error) {
      if (!stepsBack(error)) throw error;
      throttled.onFault(error, LOCK_BUDGET_MILLISECONDS);
    }
    // Jitter, so that readers with a rhythm are not met at the same place each time.
    await delay(LOCK_BUDGET_MILLISECONDS * (2 + 6 * Math.random()), undefined, { signal: context.signal });
  }
}
