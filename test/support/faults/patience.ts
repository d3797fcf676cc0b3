import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { retryTransientErrors } from '@milepost/postgres';

const POLL_MILLISECONDS = 20;
/** The maximum time without progress. A fleet move gives up after a minute and is then restarted. */
const PATIENCE_MILLISECONDS = 150_000;

/** A value for NODE_OPTIONS that makes a replay use many chunks. */
export const SMALL_CHUNKS = `--import=${join(import.meta.dirname, 'small-chunks.ts')}`;

/** Retries while the database is unavailable. */
export async function retry<Result>(work: () => Promise<Result>): Promise<Result> {
  return await retryTransientErrors(work, { signal: AbortSignal.timeout(PATIENCE_MILLISECONDS) });
}

/** Resolves when the condition is true. Throws if it does not become true in time. */
export async function until(
  title: string,
  condition: () => Promise<boolean>,
  milliseconds = PATIENCE_MILLISECONDS,
): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`${title}: no progress in ${milliseconds / 1_000} s.`);
    await delay(POLL_MILLISECONDS);
  }
}
