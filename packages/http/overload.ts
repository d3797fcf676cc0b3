import type { FastifyInstance } from 'fastify';
import { retryLater } from './classify.ts';
import { CommonProblem } from './common-problems.ts';

/**
 * Refuses requests while `limit` others are under way: past that point waiting only makes all of them late. Counts until
 * the connection is done with the answer, so slow readers count as well.
 */
export function shedOverload(app: FastifyInstance, limit: number): void {
  let underWay = 0;
  const release = () => {
    underWay -= 1;
  };
  app.addHook('onRequest', (_request, reply, done) => {
    underWay += 1;
    // 'close' comes exactly once, whether the answer was sent or the consumer went away; 'finish' does not.
    reply.raw.once('close', release);
    if (underWay <= limit) done();
    else done(new CommonProblem('overloaded', 'Too many requests are under way.', { headers: retryLater }));
  });
}
