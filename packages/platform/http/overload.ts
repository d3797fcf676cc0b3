import { AsyncResource } from 'node:async_hooks';
import { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CommonProblem } from './common-problems.ts';

/** The default for `maxUnreadAnswers`, which is limited because responses to slow consumers use memory. */
const MAX_UNREAD_ANSWERS = 1_000;
/** The default maximum wait. Requests that would wait longer are refused. */
const MAX_WAIT_MILLISECONDS = 300;
/**
 * The minimum and maximum of `Retry-After`, in seconds. The server selects a value between them so that about
 * `RETURNING_PER_SECOND` refused consumers return per second.
 */
const [MIN_SECONDS, MAX_SECONDS, RETURNING_PER_SECOND] = [2, 10, 250];
/**
 * Reading resumes this long before `Retry-After` has passed, so a consumer that obeys `Retry-After` never finds its
 * connection paused.
 */
const EARLY_RESUME_MILLISECONDS = 200;
/** In the moving average, the weight of the latest interval between the ends of two requests. */
const NEWEST_SHARE = 1 / 256;

/** The refusals, indexed by the seconds in `Retry-After`. Refusals must be cheap, so they are created only once. */
const refusals = Array.from(
  { length: MAX_SECONDS + 1 },
  (_, seconds) =>
    new CommonProblem('overloaded', 'The service has more requests than it can handle in time.', {
      headers: { 'retry-after': String(seconds) },
    }),
);

interface AdmissionOptions {
  /** The maximum number of running requests; the others wait. */
  concurrency: number;
  maxWaitMilliseconds?: number | undefined;
  /** The maximum number of admitted requests whose responses have not been sent yet. */
  maxUnreadAnswers?: number | undefined;
}

/**
 * Returns the function that refuses a request and then stops reading from its connection for the time in `Retry-After`.
 * Without this pause, consumers that retry immediately would leave no time for responses. Requests that arrive during
 * the pause are refused when it ends, because they have waited too long. After that, requests on the connection are
 * treated like all others.
 *
 * @returns `refuse`, `hasWaited` (whether a request arrived while its connection was paused) and the number of refusals
 */
function createRefusal(app: FastifyInstance) {
  const paused = new Map<Socket, NodeJS.Timeout>();
  const resumed = new WeakSet<Socket>();
  let closing = false;
  let refused = 0;
  function resume(socket: Socket): void {
    clearTimeout(paused.get(socket));
    paused.delete(socket);
    resumed.add(socket);
    socket.resume();
    // Node reads the bytes that arrived during the pause before it runs this callback, so they count as having waited.
    setImmediate(() => resumed.delete(socket));
  }
  function pause(socket: Socket, seconds: number): void {
    // Requests injected by tests have no connection.
    if (closing || !(socket instanceof Socket) || paused.has(socket)) return;
    socket.pause();
    paused.set(socket, setTimeout(resume, seconds * 1000 - EARLY_RESUME_MILLISECONDS, socket).unref());
  }
  const hasWaited = ({ raw }: FastifyRequest) => resumed.has(raw.socket);
  function refuse(request: FastifyRequest, reply: FastifyReply, done: (problem?: Error) => void): void {
    const seconds = Math.min(Math.max(MIN_SECONDS, Math.ceil(paused.size / RETURNING_PER_SECOND)), MAX_SECONDS);
    if (!hasWaited(request)) reply.raw.once('finish', () => pause(request.raw.socket, seconds));
    refused += 1;
    done(refusals[seconds]);
  }
  app.addHook('preClose', async () => {
    closing = true;
    for (const socket of paused.keys()) resume(socket);
  });
  return { refuse, hasWaited, refusedCount: () => refused };
}

/**
 * Limits the number of running requests. The others wait in a queue, in order of arrival, for a limited time. A request
 * that waits too long is refused, and one that would wait too long at the current rate is refused immediately. A
 * request stops running when its response is ready to be sent, so slow consumers do not delay other requests.
 *
 * @returns a function that returns how many requests have been admitted and refused so far, how many are running and
 *   waiting now, and `concurrency`
 */
export function shedOverload(app: FastifyInstance, options: AdmissionOptions) {
  const { concurrency, maxWaitMilliseconds = MAX_WAIT_MILLISECONDS, maxUnreadAnswers = MAX_UNREAD_ANSWERS } = options;
  const { refuse, hasWaited, refusedCount } = createRefusal(app);
  const running = new Set<FastifyRequest>();
  /** Each function admits a waiting request. It returns false if the consumer has disconnected. */
  const waiting = new Set<() => boolean>();
  let unreadAnswers = 0;
  let admitted = 0;
  /** Whether a waiting request has expired since a running request last ended. */
  let stalled = false;
  /** The time at which a request last began or stopped running, in milliseconds. */
  let movedAt = 0;
  /** The mean time between the ends of successive requests while others wait, in milliseconds. */
  let pace = 0;

  function admit(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    movedAt = performance.now();
    running.add(request);
    admitted += 1;
    unreadAnswers += 1;
    // Unlike 'finish', 'close' is emitted exactly once, even if the consumer disconnects before the response is sent.
    reply.raw.once('close', () => {
      unreadAnswers -= 1;
    });
    done();
  }

  function release(request: FastifyRequest): void {
    if (!running.delete(request)) return;
    stalled = false;
    const now = performance.now();
    if (waiting.size > 0) pace += (now - movedAt - pace) * NEWEST_SHARE;
    movedAt = now;
    for (const takeTurn of waiting) if (takeTurn()) break;
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (hasWaited(request) || unreadAnswers >= maxUnreadAnswers) refuse(request, reply, done);
    else if (running.size < concurrency) admit(request, reply, done);
    else if (stalled || waiting.size * pace > maxWaitMilliseconds) refuse(request, reply, done);
    else {
      // The request must continue in its own context, not in that of the request whose turn has ended.
      const context = new AsyncResource('WaitingRequest');
      const takeTurn = () => {
        waiting.delete(takeTurn);
        clearTimeout(expiry);
        if (reply.raw.destroyed) return false;
        context.runInAsyncScope(admit, null, request, reply, done);
        return true;
      };
      const expiry = setTimeout(() => {
        stalled = true;
        waiting.delete(takeTurn);
        refuse(request, reply, done);
      }, maxWaitMilliseconds);
      waiting.add(takeTurn);
    }
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    release(request);
    done();
  });
  return () => ({ admitted, refused: refusedCount(), running: running.size, waiting: waiting.size, concurrency });
}
