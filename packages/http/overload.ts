import { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { retryLater } from './classify.ts';
import { CommonProblem } from './common-problems.ts';

/** Answers that are ready and whose consumers are slow to read them; they take memory, and no turn. */
const MOST_UNREAD_ANSWERS = 1_000;
/** Whoever would wait longer than this for their turn is refused. */
const LONGEST_WAIT_MILLISECONDS = 300;
/** So many seconds at least and at most is `Retry-After`; in between it is such that so many consumers return a second. */
const [LEAST_SECONDS, MOST_SECONDS, RETURNING_PER_SECOND] = [2, 10, 250];
/** Connections are read again so long before `Retry-After` has passed: who heeds it never meets a paused one. */
const SPARED_MILLISECONDS = 200;
/** What the newest turn counts in the mean time between two. */
const NEWEST_SHARE = 1 / 256;

/** By the seconds of `Retry-After`: made once, as a refusal has to be cheap. */
const refusals = Array.from(
  { length: MOST_SECONDS + 1 },
  (_, seconds) =>
    new CommonProblem('overloaded', 'More requests are under way than can be answered in time.', {
      headers: { 'retry-after': String(seconds) },
    }),
);
const late = new CommonProblem('unavailable', 'The request could not be answered in time.', { headers: retryLater });

interface AdmissionOptions {
  /** Requests that have a turn at once; the others wait for one. */
  atOnce: number;
  longestWaitMilliseconds?: number | undefined;
  /** A turn that takes longer is ended by the answer 503. Without it turns take what they take. */
  longestTurnMilliseconds?: number | undefined;
}

interface Waiting {
  reply: FastifyReply;
  admit: () => void;
  expiry: NodeJS.Timeout;
}

/**
 * Makes the function that refuses a request. For as long as `Retry-After` says, nothing is then read from its connection:
 * consumers who ask again at once would otherwise leave no time for answers. What came meanwhile has waited for too long and
 * is refused once more; the next request of that connection is one like all others.
 *
 * @returns `refuse`, and `hasWaited`: whether a request came while its connection was paused
 */
function createRefusal(app: FastifyInstance) {
  const paused = new Map<Socket, NodeJS.Timeout>();
  const resumed = new WeakSet<Socket>();
  let closing = false;
  function resume(socket: Socket): void {
    clearTimeout(paused.get(socket));
    paused.delete(socket);
    resumed.add(socket);
    socket.resume();
    // What has come meanwhile is read before this.
    setImmediate(() => resumed.delete(socket));
  }
  function pause(socket: Socket, seconds: number): void {
    // Requests that tests inject have no connection.
    if (closing || !(socket instanceof Socket) || paused.has(socket)) return;
    socket.pause();
    paused.set(socket, setTimeout(resume, seconds * 1000 - SPARED_MILLISECONDS, socket).unref());
  }
  const hasWaited = ({ raw }: FastifyRequest) => resumed.has(raw.socket);
  function refuse(request: FastifyRequest, reply: FastifyReply, done: (problem?: Error) => void): void {
    const seconds = Math.min(Math.max(LEAST_SECONDS, Math.ceil(paused.size / RETURNING_PER_SECOND)), MOST_SECONDS);
    if (!hasWaited(request)) reply.raw.once('finish', () => pause(request.raw.socket, seconds));
    done(refusals[seconds]);
  }
  app.addHook('preClose', async () => {
    closing = true;
    for (const socket of paused.keys()) resume(socket);
  });
  return { refuse, hasWaited };
}

/**
 * Lets a few requests be worked on at once, and others wait for their turn, in their order and not for long. Refused is who
 * has waited too long, and at once who would, as turns come now. A turn ends when the answer is ready to be sent:
 * consumers who read slowly hold up nobody.
 */
export function shedOverload(app: FastifyInstance, options: AdmissionOptions): void {
  const { atOnce, longestTurnMilliseconds, longestWaitMilliseconds = LONGEST_WAIT_MILLISECONDS } = options;
  const { refuse, hasWaited } = createRefusal(app);
  /** Requests that have a turn, each with the timer that ends it. */
  const turns = new Map<FastifyRequest, NodeJS.Timeout | undefined>();
  const waiting = new Set<Waiting>();
  let unreadAnswers = 0;
  /** Whether somebody has waited in vain since a turn ended. */
  let stalled = false;
  /** When a turn began or ended last, in milliseconds. */
  let movedAt = 0;
  /** The mean time between the ends of two turns while others wait, in milliseconds. */
  let pace = 0;

  function admit(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    movedAt = performance.now();
    const end = () => reply.send(late);
    turns.set(request, longestTurnMilliseconds === undefined ? undefined : setTimeout(end, longestTurnMilliseconds));
    unreadAnswers += 1;
    // 'close' comes exactly once, whether the answer was sent or the consumer went away; 'finish' does not.
    reply.raw.once('close', () => {
      unreadAnswers -= 1;
    });
    done();
  }

  function release(request: FastifyRequest): void {
    clearTimeout(turns.get(request));
    if (!turns.delete(request)) return;
    stalled = false;
    const now = performance.now();
    if (waiting.size > 0) pace += (now - movedAt - pace) * NEWEST_SHARE;
    movedAt = now;
    for (const next of waiting) {
      waiting.delete(next);
      clearTimeout(next.expiry);
      // Whoever has gone away needs no turn.
      if (next.reply.raw.destroyed) continue;
      next.admit();
      break;
    }
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (hasWaited(request) || unreadAnswers >= MOST_UNREAD_ANSWERS) refuse(request, reply, done);
    else if (turns.size < atOnce) admit(request, reply, done);
    else if (stalled || waiting.size * pace > longestWaitMilliseconds) refuse(request, reply, done);
    else {
      const next: Waiting = {
        reply,
        admit: () => admit(request, reply, done),
        expiry: setTimeout(() => {
          stalled = true;
          waiting.delete(next);
          refuse(request, reply, done);
        }, longestWaitMilliseconds),
      };
      waiting.add(next);
    }
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    release(request);
    done();
  });
}
