const MAX_DELAY_MILLISECONDS = 60_000;
const MIN_DELAY_SECONDS = 1;
const MAX_BACKOFF_SECONDS = 10;

/**
 * The delay before the next attempt in milliseconds.
 *
 * @param failures the number of failed attempts before the most recent one
 * @param retryAfter the `Retry-After` header of the last response; if it is not a number of seconds, the delay grows
 *   exponentially
 */
export function retryDelayMilliseconds(failures: number, retryAfter: string | null): number {
  const isSeconds = retryAfter !== null && /^\d+$/.test(retryAfter);
  const seconds = isSeconds ? Number(retryAfter) : Math.min(2 ** failures, MAX_BACKOFF_SECONDS);
  return Math.min(Math.max(seconds, MIN_DELAY_SECONDS) * 1_000, MAX_DELAY_MILLISECONDS);
}
