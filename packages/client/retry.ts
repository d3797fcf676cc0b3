const FIRST_BACKOFF_SECONDS = 0.5;
const MAX_BACKOFF_SECONDS = 10;

/**
 * Returns the delay before the next attempt, in milliseconds.
 *
 * @param retries the number of retries so far
 * @param retryAfterSeconds the delay requested by the service. If null, the delay grows exponentially
 * @param random a number from 0 to 1 that spreads many clients' attempts over the second half of the delay
 */
export function retryDelayMilliseconds(retries: number, retryAfterSeconds: number | null, random: number): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds * 1_000;
  const seconds = Math.min(FIRST_BACKOFF_SECONDS * 2 ** retries, MAX_BACKOFF_SECONDS);
  return seconds * (0.5 + random / 2) * 1_000;
}

/** Resolves after a delay, or rejects with the signal's reason if the signal aborts first. */
export async function waitFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
