import { setTimeout as delay } from 'node:timers/promises';
import { say } from '../output.ts';

const LIMITS = {
  pollMilliseconds: 500,
  /** By this time, a worker has usually started the audit, and most reports are ready. */
  noticeAfterMilliseconds: 60_000,
  maxMilliseconds: 3_600_000,
};

/**
 * Waits until `hasReport` finds an audit's report, and says once if it takes longer than usual. Throws Error when there
 * is no report after an hour.
 */
export async function waitForReport(
  id: number,
  hasReport: () => Promise<boolean>,
  signal: AbortSignal,
  { pollMilliseconds, noticeAfterMilliseconds, maxMilliseconds } = LIMITS,
): Promise<void> {
  const begin = performance.now();
  let isNoticed = false;
  while (!(await hasReport())) {
    const waited = performance.now() - begin;
    if (waited >= maxMilliseconds) {
      const minutes = Math.round(maxMilliseconds / 60_000);
      throw new Error(
        `Audit ${id} has no report after ${minutes} minutes: is an ops process running on the server? \`milepost audit show ${id}\` shows the report once it is ready.`,
      );
    }
    if (!isNoticed && waited >= noticeAfterMilliseconds) {
      isNoticed = true;
      say(`Audit ${id} has no report yet: either it is taking a long time, or no worker has started it.`);
    }
    await delay(pollMilliseconds, undefined, { signal });
  }
}
