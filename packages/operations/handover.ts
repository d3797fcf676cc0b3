import type { Job, OperationContext } from './operation.ts';
import { Refusal } from './refusal.ts';

/** What every operation says that hands a job to the worker. */
export const HANDED_OVER = {
  statuses: [[202, 'A worker does it next, unless one was waiting to be done already.']],
  change: 'recorded',
  refusals: ['queue_unavailable'],
} as const;

/**
 * Hands a job to the worker.
 *
 * @returns the job that is to be done: this one, or an earlier one for the same thing that has not ended
 * @throws Refusal when the queue does not answer
 */
export async function handOver(enqueue: OperationContext['enqueue'], job: Job): Promise<Job> {
  const accepted = await enqueue(job);
  if (accepted !== null) return accepted;
  throw new Refusal(
    'queue_unavailable',
    'The queue does not answer, so nothing was begun: is the ops process up, and Redis, where REDIS_URL is set?',
  );
}
