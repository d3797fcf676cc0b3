import { setTimeout as delay } from 'node:timers/promises';
import type { JobQueue } from '../queue/index.ts';

export interface Schedule {
  audit_interval_minutes: number;
  retention_interval_minutes: number;
}

/** The interval at which the schedule is added again, in case the queue was emptied. */
const REPEAT_MILLISECONDS = 60_000;
const MILLISECONDS_PER_MINUTE = 60_000;

/** Keeps the schedule of the repeated jobs in the queue until the signal aborts. */
export async function scheduleJobs(
  queue: JobQueue,
  { audit_interval_minutes, retention_interval_minutes }: Schedule,
  onError: (error: Error) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await queue.repeat({ kind: 'audit', id: null }, audit_interval_minutes * MILLISECONDS_PER_MINUTE);
      await queue.repeat({ kind: 'retention' }, retention_interval_minutes * MILLISECONDS_PER_MINUTE);
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)));
    }
    await delay(REPEAT_MILLISECONDS, undefined, { signal }).catch(() => {});
  }
}
