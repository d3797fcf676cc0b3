import Type, { type Static } from 'typebox';
import type { Done, Job, OperationContext, Status } from './operation.ts';
import { Refusal } from './refusal.ts';

export const Accepted = Type.Object({ detail: Type.String({ description: 'Where to see what comes of it.' }) });

export const acceptedStatuses: readonly (readonly [Status, string])[] = [
  [202, 'A worker does it next, unless one was waiting to be done already.'],
];

/** Hands a job to the worker, and says where its result will be. Throws Refusal when the queue does not answer. */
export async function accept(
  { enqueue }: OperationContext,
  job: Job,
  location: string,
  detail: string,
): Promise<Done<Static<typeof Accepted>>> {
  if (await enqueue(job)) return { answer: { detail }, status: 202, location };
  throw new Refusal(
    'queue_unavailable',
    'The queue does not answer, so nothing was begun: is the ops process up, and Redis, where REDIS_URL is set?',
  );
}
