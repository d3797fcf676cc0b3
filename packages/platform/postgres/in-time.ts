import { setTimeout as delay } from 'node:timers/promises';

/** Settles as `work` does, or rejects with a transient error that has this message if `work` takes too long. */
export async function inTime<Result>(work: Promise<Result>, milliseconds: number, message: string): Promise<Result> {
  const settled = new AbortController();
  const late = delay(milliseconds, undefined, { signal: settled.signal }).then(() => {
    // This code makes the error count as transient.
    throw Object.assign(new Error(message), { code: 'ETIMEDOUT' });
  });
  return await Promise.race([work, late]).finally(() => settled.abort());
}
