import { setTimeout as delay } from 'node:timers/promises';
import { isTransientError } from './errors.ts';

const FIRST_DELAY_MILLISECONDS = 100;
const MAX_DELAY_MILLISECONDS = 10_000;

export interface RetryOptions {
  signal: AbortSignal;
  /** Called before each delay, with the error and the delay. */
  onRetry?: ((error: unknown, delayMilliseconds: number) => void) | undefined;
}

/**
 * Returns the delay before attempt `attempt` (0, 1, ...), which doubles each time, has jitter, and is at most `limit`,
 * by default ten seconds.
 */
export function backoffMilliseconds(attempt: number, limit = MAX_DELAY_MILLISECONDS): number {
  const max = Math.min(FIRST_DELAY_MILLISECONDS * 2 ** attempt, limit);
  return max / 2 + Math.random() * (max / 2);
}

/**
 * Retries `work` with backoff while it fails with transient errors, and throws any other error. When the signal aborts,
 * throws its reason.
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
