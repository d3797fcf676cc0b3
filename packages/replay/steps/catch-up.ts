import { inTransaction, type Pool, retryPassingFaults, type Transaction } from '@milepost/postgres';
import type { PositionRange } from '@milepost/projections/engine';
import {
  type Advancing,
  applyNext,
  inHalves,
  liveCheckpoints,
  lockGenerations,
  ProjectionFailedError,
} from '@milepost/projections/engine';
import type { Member, StepContext } from '../replay.ts';
import { describeStoredEvent } from '../sql/describe-stored-event.ts';
import type { Throttled } from '../throttle/throttled.ts';

const BATCH_SIZE = 1_000;

/**
 * Locks the replay's generations and puts each beside its projection. None goes past its live generation: the two are
 * compared, and change places, at one position.
 */
export async function lockMembers(transaction: Transaction, members: readonly Member[]): Promise<Advancing[]> {
  const wanted = members.map(({ projection, generation }) => ({ projection: projection.name, generation }));
  const generations = await lockGenerations(transaction, wanted);
  const names = members.map(({ projection }) => projection.name);
  const limits = await liveCheckpoints(transaction, names);
  return members.flatMap(({ projection }) => {
    const generation = generations.find((candidate) => candidate.projection === projection.name);
    return generation ? [{ projection, generation, limit: limits.get(projection.name) ?? 0 }] : [];
  });
}

async function applyBatch(pool: Pool, members: readonly Member[], size: number): Promise<PositionRange | null> {
  return await inTransaction(pool, async (transaction) => {
    return await applyNext(transaction, await lockMembers(transaction, members), size);
  });
}

/**
 * Applies what was stored since the generations were filled, or since they were live, until they are where the live ones
 * are; these may have moved on by then.
 *
 * @param hurry whatever the throttle: somebody waits for it
 */
export async function catchUp(
  pool: Pool,
  { members, signal }: StepContext,
  throttled: Throttled,
  hurry = false,
): Promise<void> {
  try {
    for (;;) {
      while (!hurry && !(await throttled.mayStart(0, signal))) signal.throwIfAborted();
      signal.throwIfAborted();
      const started = performance.now();
      const applied = await retryPassingFaults(
        () => inHalves(BATCH_SIZE, async (size) => await applyBatch(pool, members, size)),
        { signal, onFault: throttled.onFault },
      );
      if (applied === null) return;
      throttled.onPart(applied.through - applied.after, performance.now() - started);
    }
  } catch (error) {
    if (!(error instanceof ProjectionFailedError)) throw error;
    const event = await describeStoredEvent(pool, error.position);
    throw new Error(`${error.message} (${event})`, { cause: error });
  }
}
