import { retryLater } from '@milepost/http';
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { Problem } from '../problems/problem.ts';
import type { JobData } from '../queue/index.ts';
import type { RouteContext } from './context.ts';

/** The body of an answer to a request whose work is done afterwards. */
export const Accepted = Type.Object(
  { detail: Type.String({ description: 'Where to see what comes of it.' }) },
  { description: 'A worker does it next, unless one was waiting to be done already.' },
);

/** Puts a job into the queue and says where its result will be. Throws the problem `queue_unavailable`. */
export async function accept(
  { enqueue }: RouteContext,
  reply: FastifyReply,
  job: JobData,
  where: string,
  detail: string,
) {
  if (!(await enqueue(job))) {
    const sentence =
      'The queue does not answer, so nothing was begun: is the ops process up, and Redis, where REDIS_URL is set?';
    throw new Problem('queue_unavailable', sentence, { headers: retryLater });
  }
  return await reply.code(202).header('location', where).send({ detail });
}
