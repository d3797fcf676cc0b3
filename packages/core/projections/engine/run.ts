import { setTimeout as delay } from 'node:timers/promises';
import { type Pool, type RetryOptions, retryTransientErrors } from '@milepost/postgres';
import { type AppliedBatch, advance } from './advance.ts';
import { isSetAside, recordFailure } from './checkpoints.ts';
import type { PositionRange } from './fill.ts';
import { type Projection, ProjectionFailedError, ProjectionVersionError } from './projection.ts';

/** Wakes one waiter. If a notification arrives while nobody is waiting, it is kept for the next waiter. */
export class WakeUp {
  #notified = new AbortController();

  notify(): void {
    this.#notified.abort();
  }

  /** Resolves at the next notification (immediately if one was kept), after `milliseconds`, or on abort. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, this.#notified.signal]);
    await delay(milliseconds, undefined, { signal: either }).catch(() => {});
    this.#notified = new AbortController();
  }
}

/** After this time, a stopped projection retries the failed stored event. */
const FAILED_RETRY_MILLISECONDS = 10_000;
/** At this interval, a stopped projection checks whether an operator has set the stored event aside. */
const SET_ASIDE_POLL_MILLISECONDS = 500;

/** The maximum pause after a batch. The pause delays the stored events that arrive in the meantime. */
const MAX_PAUSE_MILLISECONDS = 25;

/**
 * Returns how long to pause after a batch: as long as the batch took, up to a maximum. Without the maximum, the pause
 * could be as long as a database outage, because the time of a batch includes its retries. Exported for tests.
 */
export function pauseMilliseconds(workMilliseconds: number): number {
  return Math.min(workMilliseconds, MAX_PAUSE_MILLISECONDS);
}

/**
 * While the log grows, pauses for as long as the last batch took. A batch's cost depends more on the rows that it
 * changes than on its number of stored events. Without a pause, a busy log would cause many small batches, which would
 * recompute the same rows again and again.
 */
async function pause(workMilliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(pauseMilliseconds(workMilliseconds), undefined, { signal }).catch(() => {});
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
  /** Is notified when the log grows. A lost notification delays a batch by at most `pollMilliseconds`. */
  wakeUp: WakeUp;
  pollMilliseconds: number;
  onAdvance: (range: PositionRange) => void;
  /** Called after the commit, for each projection that has applied a batch. */
  onApplied?: (batch: AppliedBatch) => void;
  onFailure: (error: ProjectionFailedError | ProjectionVersionError) => void;
}

/**
 * Advances the live projections until aborted. At the head of the log, the function waits for the next append.
 * Transient errors are retried without limit. If a stored event cannot be applied, all projections stop before it. The
 * stored event is reported and retried every ten seconds, and also as soon as an operator sets it aside.
 */
export async function runProjections(
  pool: Pool,
  projections: readonly Projection[],
  options: RunOptions,
): Promise<void> {
  const { signal, onRetry } = options;
  let applied = 0;
  let plannedAt = 0;
  while (!signal.aborted) {
    try {
      const started = performance.now();
      // A plan that was made while the tables were empty scans the whole log, and the server keeps it until autovacuum
      // collects statistics, at least a minute after the first start. A plan for a log of half the size is still good,
      // so discarding plans each time the log doubles is enough.
      const discardsPlans = applied > 2 * plannedAt;
      const range = await retryTransientErrors(
        () => advance(pool, projections, options.batchSize, options.onApplied, discardsPlans),
        { signal, onRetry },
      );
      options.onAdvance(range);
      if (discardsPlans) plannedAt = applied;
      applied = range.through;
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
