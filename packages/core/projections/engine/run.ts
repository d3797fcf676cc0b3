import { setTimeout as delay } from 'node:timers/promises';
import { type Pool, type RetryOptions, retryTransientErrors, unprepared } from '@milepost/postgres';
import { type AppliedBatch, advance } from './advance.ts';
import { isSetAside, recordFailure } from './checkpoints.ts';
import { ProjectionFailedError, ProjectionVersionError } from './errors.ts';
import type { PositionRange } from './fill.ts';
import type { Projection } from './projection.ts';
import type { WakeUp } from './wake-up.ts';

/** A stopped projection retries the failed stored event after this time. */
const FAILED_RETRY_MILLISECONDS = 10_000;
/** A stopped projection asks at this interval whether an operator has set the stored event aside. */
const SET_ASIDE_POLL_MILLISECONDS = 500;

/** The maximum pause after a batch. The pause delays the events that are stored during it. */
const MAX_PAUSE_MILLISECONDS = 25;

/**
 * Returns the duration of the pause after a batch: that of the batch, up to a maximum. The duration of a batch includes
 * its retries, which may have taken as long as an outage of the database. Exported for tests.
 */
export function pauseMilliseconds(workMilliseconds: number): number {
  return Math.min(workMilliseconds, MAX_PAUSE_MILLISECONDS);
}

/**
 * While the log grows, pauses for as long as the last batch took. The cost of a batch depends more on the rows that it
 * changes than on its stored events. Without a pause, many small batches would recompute the same rows of a busy log.
 */
async function pause(workMilliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(pauseMilliseconds(workMilliseconds), undefined, { signal }).catch(() => {});
}

/**
 * Discards the cached plans of the connection that the next batch uses. Plans that were made while the tables were
 * empty scan the whole log. The server keeps them until autovacuum collects statistics, at the earliest a minute after
 * the first start.
 */
async function discardPlans(pool: Pool): Promise<void> {
  // A pool returns the same connection as long as only one is in use.
  await unprepared(pool, {}, 'DISCARD PLANS');
}

/** Waits until the failed stored event is due for a retry, or until an operator has set it aside. */
async function waitForRetry(pool: Pool, position: number | null, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + FAILED_RETRY_MILLISECONDS;
  do {
    await delay(SET_ASIDE_POLL_MILLISECONDS, undefined, { signal }).catch(() => {});
    if (signal.aborted || (position !== null && (await isSetAside(pool, position).catch(() => false)))) return;
  } while (performance.now() < deadline);
}

interface RunOptions extends RetryOptions {
  batchSize: number;
  /** Notified when the log grows. A lost notification delays a batch by at most `pollMilliseconds`. */
  wakeUp: WakeUp;
  pollMilliseconds: number;
  onAdvance: (range: PositionRange) => void;
  /** Called for each projection that has applied a batch, after the commit. */
  onApplied?: (batch: AppliedBatch) => void;
  onFailure: (error: ProjectionFailedError | ProjectionVersionError) => void;
}

/**
 * Advances the live projections until aborted. It does not wait while the log is ahead; otherwise it waits for the next
 * append. Transient errors are retried without limit. When a stored event cannot be applied, all projections stop
 * before it. The event is reported, and is retried every ten seconds, and at once when an operator sets it aside.
 */
export async function runProjections(
  pool: Pool,
  projections: readonly Projection[],
  options: RunOptions,
): Promise<void> {
  const { signal, onRetry } = options;
  let plannedAt = 0;
  while (!signal.aborted) {
    try {
      const started = performance.now();
      const range = await retryTransientErrors(() => advance(pool, projections, options.batchSize, options.onApplied), {
        signal,
        onRetry,
      });
      options.onAdvance(range);
      // Discard the plans only when the log has doubled: a plan for a log of half the size is still good.
      if (range.through > 2 * plannedAt) {
        await retryTransientErrors(() => discardPlans(pool), { signal, onRetry });
        plannedAt = range.through;
      }
      if (range.through === range.after) await options.wakeUp.wait(options.pollMilliseconds, signal);
      else if (range.through - range.after < options.batchSize) await pause(performance.now() - started, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ProjectionFailedError || error instanceof ProjectionVersionError)) throw error;
      options.onFailure(error);
      await retryTransientErrors(() => recordFailure(pool, error), { signal, onRetry }).catch(() => {});
      await waitForRetry(pool, error.position, signal);
    }
  }
}
