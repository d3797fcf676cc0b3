import { setTimeout as delay } from 'node:timers/promises';
import { SQLSTATES, sqlState, statement, type Transaction } from '@milepost/postgres';
import { inDefinition } from '@milepost/postgres/definition';
import {
  type Advancing,
  applyNext,
  changeGenerations,
  createView,
  type Generation,
  keysOf,
  lockLiveGenerations,
  ProjectionFailedError,
  replaceView,
  tableOf,
} from '@milepost/projections/engine';
import { setPhase } from '../lease.ts';
import { catchUp, lockMembers } from './catch-up.ts';
import type { StepContext } from './context.ts';

/** The longest that readers wait for a promotion, across all views. After that, the promotion is retried. */
const LOCK_BUDGET_MILLISECONDS = 25;
/** The promotion's own transaction, for which the live projector waits, applies at most this many positions. */
const MAX_POSITIONS_LEFT = 200;

/** Runs before `MAKE_LIVE`, because a projection can have only one live generation. */
const RETIRE = changeGenerations(
  'retire-generations',
  'live = false, retired_at = now(), failed_position = NULL, failure = NULL',
);

const MAKE_LIVE = changeGenerations(
  'make-generations-live',
  'live = true, retired_at = NULL, failed_position = NULL, failure = NULL',
);

const RECORD_REPLACED = statement('record-replaced-generations')`
  UPDATE replay_member member SET replaced_generation = replaced.generation
  FROM unnest($2::text[], $3::integer[]) AS replaced (projection, generation)
  WHERE member.replay_id = $1 AND member.projection = replaced.projection`;

/** More stored events are left than the promotion's transaction should apply. */
class StillBehind extends Error {}

/** Returns SQL that points a live generation's view at another generation's table. */
function pointView(
  { projection, generation: { generation, version } }: Advancing,
  live: readonly Generation[],
): string {
  const table = tableOf(projection.name, generation);
  const isSameVersion = live.some((each) => each.projection === projection.name && each.version === version);
  // Only tables of different versions can have different columns, so one definition is enough if the versions are the
  // same. It holds the locks for a shorter time than three definitions would, because Citus sends each definition to
  // all nodes.
  if (isSameVersion) return replaceView(projection, table);
  return `DROP VIEW ${projection.name}; ${createView(projection, table)}`;
}

/**
 * Points the views at other tables and commits. A single time budget limits the total wait for all locks. Everything is
 * sent in one message, because a transaction with these locks must not wait for this process. A statement that reads
 * several views should name them in the order of these locks. Otherwise, the statement and the promotion wait for each
 * other until the budget is spent.
 */
async function pointViewsAndCommit(
  transaction: Transaction,
  live: readonly Generation[],
  promoted: readonly Advancing[],
): Promise<void> {
  const exchanges = promoted.map((each) => {
    return `PERFORM set_config('lock_timeout', greatest(1, floor(1000 * extract(epoch FROM deadline - clock_timestamp())))::text, true);
      ${pointView(each, live)}`;
  });
  await transaction.runAndCommit(`DO $$ DECLARE deadline timestamptz := clock_timestamp() + interval '${LOCK_BUDGET_MILLISECONDS} ms';
    BEGIN ${exchanges.join(' ')} END $$`);
}

async function promoteOnce({ pool, replay, members }: StepContext): Promise<void> {
  const names = members.map(({ projection }) => projection.name);
  // No lock is needed besides those on the generations' rows.
  await inDefinition(pool, null, async (transaction) => {
    const live = await lockLiveGenerations(transaction, names);
    const advancing = await lockMembers(transaction, members);
    // Apply the remaining positions first and lock the views afterwards, so that readers can continue in the meantime.
    const applied = await applyNext(transaction, advancing, MAX_POSITIONS_LEFT);
    const isBehind = advancing.some(({ generation: { checkpoint }, limit }) => {
      return (checkpoint === applied?.after ? applied.through : checkpoint) < limit;
    });
    if (isBehind) throw new StillBehind();
    // Readers have to wait until the commit ends, so the commit does not wait for the disk. This is safe: a crash would
    // lose the whole promotion, which would then be repeated.
    await transaction.run('SET LOCAL synchronous_commit = off');
    await transaction.execute(RETIRE, keysOf(live));
    await transaction.execute(MAKE_LIVE, keysOf(advancing.map(({ generation }) => generation)));
    await transaction.execute(RECORD_REPLACED, [replay.id, ...keysOf(live)]);
    await setPhase(transaction, replay, 'promoted');
    await pointViewsAndCommit(transaction, live, advancing);
  });
}

/** Whether to retry the promotion. If a stored event cannot be applied, the catch-up before the retry fails too. */
function shouldRetry(error: unknown): boolean {
  const isInTheWay = sqlState(error) === SQLSTATES.lock_not_available;
  return isInTheWay || error instanceof StillBehind || error instanceof ProjectionFailedError;
}

/**
 * Makes the replay's generations live in one short transaction, so that all readers see the new tables from the same
 * moment on. If a reader holds a lock for a long time, the promotion gives up and is retried, so that other readers do
 * not have to wait long.
 */
export async function promote(context: StepContext): Promise<void> {
  const { signal, onRetry } = context;
  for (;;) {
    await catchUp(context);
    try {
      return await promoteOnce(context);
    } catch (error) {
      if (!shouldRetry(error)) throw error;
      onRetry?.(error, LOCK_BUDGET_MILLISECONDS);
    }
    // The wait is random, to avoid repeated collisions with periodic readers.
    await delay(LOCK_BUDGET_MILLISECONDS * (2 + 6 * Math.random()), undefined, { signal });
  }
}
