import { setTimeout as delay } from 'node:timers/promises';
import { aborted } from '@milepost/service';
import type { JobQueue } from '../queue/index.ts';

export interface Schedule {
  audit_interval_minutes: number;
  retention_interval_minutes: number;
}

const REPEAT_MILLISECONDS = 60_000;
const MILLISECONDS_PER_MINUTE = 60_000;

/**
 * Keeps the schedule of the repeated jobs in the queue until the signal aborts.
 *
 * @param repeatMilliseconds how often the schedule is added again, in case the queue was emptied
 */
export async function scheduleJobs(
  queue: JobQueue,
  { audit_interval_minutes, retention_interval_minutes }: Schedule,
  onError: (error: Error) => void,
  signal: AbortSignal,
  repeatMilliseconds = REPEAT_MILLISECONDS,
): Promise<void> {
  const stopped = aborted(signal);
  const add = async () => {
    await queue.repeat({ kind: 'audit', id: null }, audit_interval_minutes * MILLISECONDS_PER_MINUTE);
    await queue.repeat({ kind: 'retention' }, retention_interval_minutes * MILLISECONDS_PER_MINUTE);
  };
  while (!signal.aborted) {
    try {
      // While the queue is unavailable, `add` waits for it, which must not delay the end of the process.
      await Promise.race([add(), stopped]);
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)));
    }
    await delay(repeatMilliseconds, undefined, { signal }).catch(() => {});
  }
}
