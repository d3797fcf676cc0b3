import { setTimeout as delay } from 'node:timers/promises';
import { type Pool, type RetryOptions, retryTransientErrors, unprepared } from '@milepost/postgres';
import { advance } from './advance.ts';
import { recordFailure } from './checkpoints.ts';
import { ProjectionFailedError, ProjectionVersionError } from './errors.ts';
import type { PositionRange } from './fill.ts';
import type { Projection } from './projection.ts';
import type { WakeUp } from './wake-up.ts';

/** How long a projection that stands still waits before it tries the stored event again. */
const FAILED_RETRY_MILLISECONDS = 10_000;

/** The longest rest after a batch; what is stored meanwhile is seen later by as much. */
const LONGEST_REST_MILLISECONDS = 25;

/**
 * Lets the log grow for as long as the last batch took. What a batch costs depends more on the
 * rows it touches than on its stored events: without a rest a busy log is followed in many small batches that recompute the same rows.
 */
async function rest(workMilliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(Math.min(workMilliseconds, LONGEST_REST_MILLISECONDS), undefined, { signal }).catch(() => {});
}

/**
 * Throws away the plans of the connection that the next batch gets. Made while the tables were empty, they scan the log, and
 * are kept until the server gathers statistics, a minute after the first start at best.
 */
async function discardPlans(pool: Pool): Promise<void> {
  // A pool whose connections are used one at a time hands out the same one.
  await unprepared(pool, {}, 'DISCARD PLANS');
}

interface RunOptions extends RetryOptions {
  batchSize: number;
  /** Notified when the log has grown; a notification that never comes costs at most `pollMilliseconds`. */
  wakeUp: WakeUp;
  pollMilliseconds: number;
  onAdvance: (range: PositionRange) => void;
  onFailure: (error: ProjectionFailedError | ProjectionVersionError) => void;
}

/**
 * Advances the live projections until aborted: as fast as it can while the log is ahead, woken by appends otherwise.
 * Transient errors are retried for as long as they last. A stored event that cannot be applied stops everything in front of
 * it, is reported, and is tried again every ten seconds.
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
      const range = await retryTransientErrors(() => advance(pool, projections, options.batchSize), {
        signal,
        onRetry,
      });
      options.onAdvance(range);
      // As often as the log has doubled: a plan that was right for half of it is right for all of it.
      if (range.through > 2 * plannedAt) {
        await retryTransientErrors(() => discardPlans(pool), { signal, onRetry });
        plannedAt = range.through;
      }
      if (range.through === range.after) await options.wakeUp.wait(options.pollMilliseconds, signal);
      else if (range.through - range.after < options.batchSize) await rest(performance.now() - started, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ProjectionFailedError || error instanceof ProjectionVersionError)) throw error;
      options.onFailure(error);
      await retryTransientErrors(() => recordFailure(pool, error), { signal, onRetry }).catch(() => {});
      await delay(FAILED_RETRY_MILLISECONDS, undefined, { signal }).catch(() => {});
    }
  }
}
