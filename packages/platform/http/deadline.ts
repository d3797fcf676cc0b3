import type { FastifyInstance, FastifyRequest } from 'fastify';
import { retryLater } from './classify.ts';
import { CommonProblem } from './common-problems.ts';

const late = new CommonProblem('unavailable', 'The request could not be handled in time.', { headers: retryLater });

/**
 * Responds with 503 to read requests that exceed the timeout, even if the database hangs. Requests that change data do
 * not have a timeout, because they must not receive an error while their work continues. The timeout starts after the
 * `onRequest` hooks that were added earlier.
 */
export function limitTime(app: FastifyInstance, maxMilliseconds: number): void {
  const timers = new Map<FastifyRequest, NodeJS.Timeout>();
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'GET' || request.method === 'HEAD') {
      timers.set(
        request,
        setTimeout(() => reply.send(late), maxMilliseconds),
      );
    }
    done();
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    clearTimeout(timers.get(request));
    timers.delete(request);
    done();
  });
}
