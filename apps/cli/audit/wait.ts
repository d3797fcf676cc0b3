import { setTimeout as delay } from 'node:timers/promises';

interface WaitLimits {
  pollMilliseconds: number;
  /** By then a worker has begun, and most reports are there. */
  usualMilliseconds: number;
  longestMilliseconds: number;
}

const LIMITS: WaitLimits = { pollMilliseconds: 500, usualMilliseconds: 60_000, longestMilliseconds: 3_600_000 };

/**
 * Resolves when the report of an audit is there.
 *
 * @param isThere looks for it
 * @param say told once when it takes longer than usual
 * @throws Error when it is not there after an hour
 */
export async function untilReported(
  id: number,
  isThere: () => Promise<boolean>,
  say: (sentence: string) => void,
  signal: AbortSignal,
  { pollMilliseconds, usualMilliseconds, longestMilliseconds }: WaitLimits = LIMITS,
): Promise<void> {
  const begin = performance.now();
  let isSaid = false;
  while (!(await isThere())) {
    const waited = performance.now() - begin;
    if (waited >= longestMilliseconds) {
      const minutes = Math.round(longestMilliseconds / 60_000);
      throw new Error(
        `Audit ${id} has no report after ${minutes} minutes: does the worker of the server run? \`milepost audit show ${id}\` shows the report once it is there.`,
      );
    }
    if (!isSaid && waited >= usualMilliseconds) {
      isSaid = true;
      say(`Audit ${id} has no report yet: either it takes long, or no worker has begun it.`);
    }
    await delay(pollMilliseconds, undefined, { signal });
  }
}
