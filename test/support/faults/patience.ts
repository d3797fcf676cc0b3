import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { retryTransientErrors } from '@milepost/postgres';
import { send } from '../http.ts';

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

/** Resolves when the server at `origin` is ready. */
export async function untilReady(origin: string): Promise<void> {
  // During a long test, the server closes keep-alive connections, and the next request on such a connection would fail.
  const ready = { path: '/readyz', headers: { connection: 'close' } };
  await until(`The start of ${origin}`, async () => (await send(origin, ready).catch(() => null))?.statusCode === 200);
}
