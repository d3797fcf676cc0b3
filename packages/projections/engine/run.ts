import { setTimeout as delay } from 'node:timers/promises';
import { type Pool, retryPassingFaults } from '@milepost/postgres';
import { advance } from './advance.ts';
import { ProjectionFailedError, ProjectionVersionError } from './errors.ts';
import type { PositionRange } from './fill.ts';
import type { Projection } from './projection.ts';
import { recordFailure } from './sql/record-failure.ts';
import type { WakeUp } from './wake-up.ts';

/** How long a projection that stands still waits before it looks again whether the fault was mended. */
const FAILED_RETRY_MILLISECONDS = 10_000;

/** The longest rest after a batch; a trip that comes in meanwhile is seen later by as much. */
const LONGEST_REST_MILLISECONDS = 25;

/**
 * Lets the log grow for as long as the last batch took. What a batch costs depends more on the drivers and weeks it
 * touches than on its trips: without a rest a busy log is followed in many small batches that recompute the same days.
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
  await pool.query('DISCARD PLANS');
}

export interface RunOptions {
  batchSize: number;
  signal: AbortSignal;
  /** Notified when the log has grown; a notification that never comes costs at most `pollMilliseconds`. */
  wakeUp: WakeUp;
  pollMilliseconds: number;
  onAdvance: (range: PositionRange) => void;
  onFault: (error: unknown, delayMilliseconds: number) => void;
  onFailure: (error: ProjectionFailedError | ProjectionVersionError) => void;
}

/**
 * Advances the live projections until aborted: as fast as it can while the log is ahead, woken by appends otherwise.
 * Passing faults are retried for as long as they last. A stored event that cannot be applied stops everything in front of
 * it, is reported, and is tried again every ten seconds.
 */
export async function runProjections(
  pool: Pool,
  projections: readonly Projection[],
  options: RunOptions,
): Promise<void> {
  const { signal, onFault } = options;
  let plannedAt = 0;
  while (!signal.aborted) {
    try {
      const started = performance.now();
      const range = await retryPassingFaults(() => advance(pool, projections, options.batchSize), { signal, onFault });
      options.onAdvance(range);
      // As often as the log has doubled: a plan that was right for half of it is right for all of it.
      if (range.through > 2 * plannedAt) {
        await retryPassingFaults(() => discardPlans(pool), { signal, onFault });
        plannedAt = range.through;
      }
      if (range.through === range.after) await options.wakeUp.wait(options.pollMilliseconds, signal);
      else if (range.through - range.after < options.batchSize) await rest(performance.now() - started, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ProjectionFailedError || error instanceof ProjectionVersionError)) throw error;
      options.onFailure(error);
      await retryPassingFaults(() => recordFailure(pool, error), { signal, onFault }).catch(() => {});
      await delay(FAILED_RETRY_MILLISECONDS, undefined, { signal }).catch(() => {});
    }
  }
}
