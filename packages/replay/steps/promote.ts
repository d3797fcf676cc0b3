import { setTimeout as delay } from 'node:timers/promises';
import { inTransaction, sqlState, statement, type Transaction } from '@milepost/postgres';
import {
  type Advancing,
  applyNext,
  createView,
  type Generation,
  lockLiveGenerations,
  ProjectionFailedError,
  tableOf,
  viewOf,
} from '@milepost/projections/engine';
import { setPhase } from '../lease.ts';
import { catchUp, lockMembers } from './catch-up.ts';
import type { StepContext } from './context.ts';

/** How long readers may have to wait behind us for all views together; then we step back and let them pass. */
const LOCK_BUDGET_MILLISECONDS = 25;
const LOCK_NOT_AVAILABLE = '55P03';
/** Some positions may be left for the promotion's own transaction, in which the live projector waits. */
const MOST_POSITIONS_LEFT = 200;

/** First, because at most one generation of a projection may be live. */
const RETIRE = statement('retire-generations')`
  UPDATE projection.generation SET live = false, retired_at = now(), failed_position = NULL, failure = NULL
  WHERE (projection, generation) IN (SELECT * FROM unnest($1::text[], $2::integer[]))`;

const MAKE_LIVE = statement('make-generations-live')`
  UPDATE projection.generation SET live = true, retired_at = NULL, failed_position = NULL, failure = NULL
  WHERE (projection, generation) IN (SELECT * FROM unnest($1::text[], $2::integer[]))`;

const RECORD_REPLACED = statement('record-replaced-generations')`
  UPDATE projection.replay_member member SET replaced_generation = replaced.generation
  FROM unnest($2::text[], $3::integer[]) AS replaced (projection, generation)
  WHERE member.replay_id = $1 AND member.projection = replaced.projection`;

/** Makes one set of generations live in place of another, and keeps in mind which. */
async function swapLive(
  transaction: Transaction,
  replayId: number,
  from: readonly Generation[],
  to: readonly Generation[],
): Promise<void> {
  const keys = (generations: readonly Generation[]) => [
    generations.map(({ projection }) => projection),
    generations.map(({ generation }) => generation),
  ];
  await transaction.execute(RETIRE, keys(from));
  await transaction.execute(MAKE_LIVE, keys(to));
  await transaction.execute(RECORD_REPLACED, [replayId, ...keys(from)]);
}

/** More was stored meanwhile than the promotion's own transaction should apply. */
class StillBehind extends Error {}

/**
 * Points the views at other tables and commits. All locks together are waited for no longer than the budget. It is one
 * message to the server: with the locks held, it must not wait for us, who may be slow, far away, or stopped. Statements
 * that read several views should name them in the order given here, or the two wait for each other until the budget is spent.
 */
async function pointViews(transaction: Transaction, promoted: readonly Advancing[]): Promise<void> {
  const exchanges = promoted.map(({ projection, generation: { generation } }) => {
    // Made anew instead of replaced: another version's table may have other columns.
    return `PERFORM set_config('lock_timeout', greatest(1, floor(1000 * extract(epoch FROM deadline - clock_timestamp())))::text, true);
      DROP VIEW ${viewOf(projection.name)}; ${createView(projection, tableOf(projection.name, generation))}`;
  });
  await transaction.run(`DO $$ DECLARE deadline timestamptz := clock_timestamp() + interval '${LOCK_BUDGET_MILLISECONDS} ms';
    BEGIN ${exchanges.join(' ')} END $$; COMMIT`);
}

async function promoteOnce({ pool, replay, epoch, members }: StepContext): Promise<void> {
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
    await pointViews(transaction, advancing);
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
export async function promote(context: StepContext): Promise<void> {
  const { throttled, signal } = context;
  for (;;) {
    await catchUp(context);
    try {
      return await promoteOnce(context);
    } catch (error) {
      if (!stepsBack(error)) throw error;
      throttled.onRetry?.(error, LOCK_BUDGET_MILLISECONDS);
    }
    // Jitter, so that readers with a rhythm are not met at the same place each time.
    await delay(LOCK_BUDGET_MILLISECONDS * (2 + 6 * Math.random()), undefined, { signal });
  }
}
