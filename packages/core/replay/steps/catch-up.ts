import { inTransaction, retryTransientErrors, type Transaction } from '@milepost/postgres';
import {
  type Advancing,
  applyNext,
  bisect,
  liveCheckpoints,
  lockGenerations,
  ProjectionFailedError,
} from '@milepost/projections/engine';
import type { Member, StepContext } from './context.ts';
import { describeStoredEvent } from './failure.ts';

const BATCH_SIZE = 1_000;

/**
 * Locks the replay's generations and pairs each with its projection. No generation may advance beyond the projection's
 * live generation, because the two are compared and exchanged at the same position.
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

/**
 * Applies later stored events to the generations until they reach the live ones, which may advance in the meantime.
 *
 * @param ignoresThrottle true while another transaction is waiting
 */
export async function catchUp(
  { pool, members, throttled, signal, onRetry }: StepContext,
  ignoresThrottle = false,
): Promise<void> {
  const apply = async (size: number) =>
    await inTransaction(pool, async (transaction) => {
      return await applyNext(transaction, await lockMembers(transaction, members), size);
    });
  try {
    for (;;) {
      while (!ignoresThrottle && !(await throttled.mayStart(0, signal))) signal.throwIfAborted();
      signal.throwIfAborted();
      const started = performance.now();
      const applied = await retryTransientErrors(() => bisect(BATCH_SIZE, apply), { signal, onRetry });
      if (applied === null) return;
      throttled.onChunk(applied.through - applied.after, performance.now() - started);
    }
  } catch (error) {
    if (!(error instanceof ProjectionFailedError)) throw error;
    const event = await describeStoredEvent(pool, error.position);
    throw new Error(`${error.message} (${event})`, { cause: error });
  }
}
