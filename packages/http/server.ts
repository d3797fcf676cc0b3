import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '@milepost/service';
import fastify, { type FastifyHttpOptions, type FastifyInstance, type FastifyRequest } from 'fastify';
import { parseQuery } from './check.ts';
import { answerClientError } from './client-errors.ts';
import { CommonProblem } from './common-problems.ts';
import { watchMethods } from './other-methods.ts';
import { NO_SNIFFING, type ProblemKinds } from './problem.ts';
import { answerFrameworkError, answerProblems } from './problem-answers.ts';
import { logRequests, type RequestLog } from './request-log.ts';

/** 20 driver ids of 256 characters take up to 61 kB of percent-encoding each way round; Node's own limit is 16 KiB. */
const MAXIMUM_HEADER_BYTES = 128 * 1024;
/** Requests have no body; whoever sends one gets it ignored. */
const BODY_LIMIT_BYTES = 1024;
const RECEIVE_TIMEOUT_MILLISECONDS = 10_000;
/** How late that limit may act; by default Node looks every 30 s. */
const RECEIVE_CHECK_MILLISECONDS = 1_000;
/** A connection on which nothing moves, be it half open or a reader who stopped reading. */
const CONNECTION_TIMEOUT_MILLISECONDS = 30_000;
/** Longer than the 60 s of common load balancers, which else meet connections that we have just closed. */
const KEEP_ALIVE_MILLISECONDS = 65_000;

/** Fastify without a logger of its own: a child logger for each request would cost more than the rest of the framework. */
const OPTIONS: FastifyHttpOptions<Server> = {
  genReqId: () => randomUUID(),
  connectionTimeout: CONNECTION_TIMEOUT_MILLISECONDS,
  keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
  requestTimeout: RECEIVE_TIMEOUT_MILLISECONDS,
  http: {
    maxHeaderSize: MAXIMUM_HEADER_BYTES,
    headersTimeout: RECEIVE_TIMEOUT_MILLISECONDS,
    connectionsCheckingInterval: RECEIVE_CHECK_MILLISECONDS,
    // Node would take the first of two Authorization or Host headers, a proxy before it perhaps the last: joined by a
    // comma, they are no key, no token and no host.
    joinDuplicateHeaders: true,
    // Node's own refusal has no body; ours is in `assertValid`.
    requireHostHeader: false,
  },
  // Fastify gives a hook 10 s, also the one that stops gracefully, which has limits of its own.
  pluginTimeout: 0,
  // While stopping, what still arrives on open connections is answered like any other request.
  return503OnClosing: false,
  forceCloseConnections: 'idle',
  frameworkErrors: answerFrameworkError,
  clientErrorHandler: answerClientError,
  routerOptions: {
    // Ids that are too long are unknown ids; the length of the address is limited by the header size.
    maxParamLength: MAXIMUM_HEADER_BYTES,
    querystringParser: parseQuery,
  },
};

/**
 * Sets how many connections a server may have, and how many of them strangers may: those that have sent no request with a
 * valid key or token yet. One stranger more, and the one that is longest without a request loses its connection. So
 * nobody without a key can take the connections of others, nor keep health and metrics from being asked for.
 *
 * @returns takes whoever gets past the checks of a scope so far for no stranger
 */
function limitConnections(
  app: FastifyInstance,
  { connections, strangers: most }: { connections: number; strangers: number },
): (scope: FastifyInstance) => void {
  const strangers = new Set<Socket>();
  app.server.maxConnections = connections;
  app.server.on('connection', (socket) => {
    strangers.add(socket);
    socket.once('close', () => strangers.delete(socket));
    if (strangers.size <= most) return;
    const [longest] = strangers;
    longest?.destroy();
  });
  app.addHook('onRequest', ({ raw: { socket } }, _reply, done) => {
    // To the end of the order.
    if (strangers.delete(socket)) strangers.add(socket);
    done();
  });
  return (scope) => {
    scope.addHook('onRequest', ({ raw: { socket } }, _reply, done) => {
      strangers.delete(socket);
      done();
    });
  };
}

const UNKNOWN_PATH = 'There is no such path: see /openapi.json for those there are.';
const CLOSE = { headers: { connection: 'close' } };

/** What Node would refuse by itself, with an empty body, or lets pass, and what it leaves to us. */
function assertValid({ raw, is404 }: FastifyRequest): void {
  const { host, expect } = raw.headers;
  if (raw.httpVersion === '1.1') {
    // Two are joined by a comma.
    if (host === undefined || host.includes(',')) {
      throw new CommonProblem('bad_request', 'The request must have one header Host.', CLOSE);
    }
    if (expect !== undefined && !/^100-continue$/i.test(expect)) {
      throw new CommonProblem('expectation_failed', 'The header Expect may only be 100-continue.', CLOSE);
    }
  }
  if (is404) throw new CommonProblem('not_found', UNKNOWN_PATH);
}

interface ServerSettings {
  /** All that may go wrong. */
  problems: ProblemKinds;
  logger: Logger;
  /** Undefined: requests are not logged. */
  requestLog?: RequestLog | undefined;
  connections: Parameters<typeof limitConnections>[1];
  bodyLimit?: number;
}

/** What every server of ours begins with. */
export function createServer({
  problems,
  logger,
  requestLog,
  connections,
  bodyLimit = BODY_LIMIT_BYTES,
}: ServerSettings): {
  app: FastifyInstance;
  /** Takes whoever gets past the checks of a scope so far for no stranger. */
  knowCallers: (scope: FastifyInstance) => void;
  /** To be called once, when all paths are declared. */
  refuseOtherMethods: () => void;
} {
  const app = fastify({ ...OPTIONS, bodyLimit });
  const knowCallers = limitConnections(app, connections);
  // Answers are finished texts, or JSON as it stands.
  app.setSerializerCompiler(() => JSON.stringify);
  if (requestLog) logRequests(app, requestLog);
  answerProblems(app, problems, logger);
  // Thrown before the body is looked at: a body that cannot be parsed must not turn a 404 into something else.
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(NO_SNIFFING);
    assertValid(request);
  });
  // The files of the reference page, where the path is known and the file is not.
  app.setNotFoundHandler(async () => {
    throw new CommonProblem('not_found', UNKNOWN_PATH);
  });
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  return { app, knowCallers, refuseOtherMethods: watchMethods(app) };
}
