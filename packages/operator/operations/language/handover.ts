import type { Job, OperationContext } from './operation.ts';
import { Refusal } from './refusal.ts';

/** The common part of operations that hand a job to the worker. */
export const HANDED_OVER = {
  statuses: [[202, 'The job is queued for a worker, unless an identical job is already in the queue.']],
  change: 'recorded',
  refusals: ['queue_unavailable'],
} as const;

/**
 * Hands a job to the worker.
 *
 * @returns this job, or an open job for the same purpose
 * @throws Refusal when the queue does not respond
 */
export async function handOver(enqueue: OperationContext['enqueue'], job: Job): Promise<Job> {
  const accepted = await enqueue(job);
  if (accepted !== null) return accepted;
  throw new Refusal({ code: 'queue_unavailable' });
}
