import { setTimeout as delay } from 'node:timers/promises';

/** A queue that does not respond within this time counts as unavailable. */
const TIMEOUT_MILLISECONDS = 2_000;

/** Settles as `work` does, or rejects if the queue's server needs more than two seconds for it. */
export async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const timeout = new AbortController();
  const late = delay(TIMEOUT_MILLISECONDS, undefined, { signal: timeout.signal }).then(() => {
    throw new Error(`The queue does not answer within ${TIMEOUT_MILLISECONDS} ms.`);
  });
  return await Promise.race([work, late]).finally(() => timeout.abort());
}
