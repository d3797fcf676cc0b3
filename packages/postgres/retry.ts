import { setTimeout as delay } from 'node:timers/promises';
import { isTransientError } from './errors.ts';

const FIRST_DELAY_MILLISECONDS = 100;
const LONGEST_DELAY_MILLISECONDS = 10_000;

export interface RetryOptions {
  signal: AbortSignal;
  /** Called before each wait, with the fault and the wait in milliseconds. */
  onRetry?: ((error: unknown, delayMilliseconds: number) => void) | undefined;
}

/** The wait before attempt `attempt` (0, 1, ...): doubled each time, with jitter, at most `limit`, by default ten seconds. */
export function backoffMilliseconds(attempt: number, limit = LONGEST_DELAY_MILLISECONDS): number {
  const longest = Math.min(FIRST_DELAY_MILLISECONDS * 2 ** attempt, limit);
  return longest / 2 + Math.random() * (longest / 2);
}

/**
 * Repeats `work` with backoff for as long as it fails with transient errors, and passes any other error on. Ends with the
 * signal's reason when aborted.
 */
export async function retryTransientErrors<Result>(
  work: () => Promise<Result>,
  options: RetryOptions,
): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    options.signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isTransientError(error)) throw error;
      const milliseconds = backoffMilliseconds(attempt);
      options.onRetry?.(error, milliseconds);
      await delay(milliseconds, undefined, { signal: options.signal }).catch(() => options.signal.throwIfAborted());
    }
  }
}
