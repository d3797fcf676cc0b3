import type { FastifyInstance, FastifyRequest } from 'fastify';
import { retryLater } from './classify.ts';
import { CommonProblem } from './common-problems.ts';

const late = new CommonProblem('unavailable', 'The request could not be answered in time.', { headers: retryLater });

/**
 * Responds with 503 to read requests that exceed the timeout, whatever the database does. Requests that change
 * something have no timeout, because they must not get an error while their work continues. The timeout starts after
 * the `onRequest` hooks that were added earlier.
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
