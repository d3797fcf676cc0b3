import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Logger } from '@milepost/service';
import { parseQuery } from '@milepost/validation';
import fastify, { type FastifyHttpOptions, type FastifyInstance, type FastifyRequest } from 'fastify';
import { CommonProblem } from './common-problems.ts';
import { limitConnections } from './connection-limits.ts';
import { pendingResponses, stopGracefully } from './graceful-stop.ts';
import { watchMethods } from './other-methods.ts';
import { NO_SNIFFING, type ProblemKinds } from './problem.ts';
import { answerClientError, answerFrameworkErrors, answerProblems } from './problem-answers.ts';
import { type Answers, reportAnswers } from './request-log.ts';
import { traceRequests } from './trace-requests.ts';

/** 20 driver ids of 256 characters need up to 61 kB when percent-encoded, but Node's default is 16 KiB. */
const MAX_HEADER_BYTES = 128 * 1024;
/** Requests do not need a body; if one is sent, the server ignores it. */
const BODY_LIMIT_BYTES = 1024;
const RECEIVE_TIMEOUT_MILLISECONDS = 10_000;
/** The interval at which Node checks the timeout above; its default is 30 s. */
const RECEIVE_CHECK_MILLISECONDS = 1_000;
/** The timeout for an inactive connection, which may be half-open or whose client may have stopped reading. */
const CONNECTION_TIMEOUT_MILLISECONDS = 30_000;
/**
 * The timeout exceeds the 60 s for which common load balancers keep idle connections. With a shorter timeout, load
 * balancers would use connections that the server has just closed.
 */
const KEEP_ALIVE_MILLISECONDS = 65_000;

/** Request ids that are safe in headers, bodies and logs. */
const WELL_FORMED = /^[\w.~:+/=@-]{1,128}$/;

/**
 * Returns the id of a request: the value of `X-Request-Id`, or a new UUID. The header is accepted if its value consists
 * of 1 to 128 characters from `A-Za-z0-9_.~:+/=@-`.
 */
function requestIdOf({ 'x-request-id': given }: IncomingHttpHeaders): string {
  return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID();
}

/** Fastify has no logger, because a child logger per request would cost more than the rest of the framework. */
const OPTIONS: FastifyHttpOptions<Server> = {
  genReqId: ({ headers }) => requestIdOf(headers),
  connectionTimeout: CONNECTION_TIMEOUT_MILLISECONDS,
  keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
  requestTimeout: RECEIVE_TIMEOUT_MILLISECONDS,
  http: {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: RECEIVE_TIMEOUT_MILLISECONDS,
    connectionsCheckingInterval: RECEIVE_CHECK_MILLISECONDS,
    // If a request had two Authorization or Host headers, Node would use the first, but a proxy might use the last. Two
    // values joined by a comma are never a valid key, token or host.
    joinDuplicateHeaders: true,
    // `assertValid` checks the Host header, because a refusal by Node itself would have no body.
    requireHostHeader: false,
  },
  // The default timeout of 10 s would also apply to the hook for the graceful stop, which has its own limits.
  pluginTimeout: 0,
  // While the server is stopping, it handles requests on open connections as usual.
  return503OnClosing: false,
  forceCloseConnections: 'idle',
  routerOptions: {
    // An overlong id is treated like an unknown one. The maximum header size already limits the length of the URL.
    maxParamLength: MAX_HEADER_BYTES,
    querystringParser: parseQuery,
  },
};

const UNKNOWN_PATH = 'The path does not exist. See /openapi.json for all paths.';
const CLOSE = { headers: { connection: 'close' } };

/**
 * Refuses unknown paths and invalid Host and Expect headers. Without this check, Node would accept such headers or
 * refuse them with an empty body.
 */
function assertValid({ raw, is404 }: FastifyRequest): void {
  const { host, expect } = raw.headers;
  if (raw.httpVersion === '1.1') {
    // Node joins two Host headers with a comma.
    if (host === undefined || host.includes(',')) {
      throw new CommonProblem('bad_request', 'The request must have exactly one Host header.', CLOSE);
    }
    if (expect !== undefined && !/^100-continue$/i.test(expect)) {
      throw new CommonProblem('expectation_failed', 'The Expect header may only be 100-continue.', CLOSE);
    }
  }
  if (is404) throw new CommonProblem('not_found', UNKNOWN_PATH);
}

/** Returns the size of a request without its body, assuming one space after each colon, which most clients send. */
function headBytes({ method, url, httpVersion, rawHeaders }: IncomingMessage): number {
  const colonsAndLineEnds = 2 * rawHeaders.length;
  const headers = rawHeaders.reduce((sum, text) => sum + text.length, colonsAndLineEnds);
  return `${method} ${url} HTTP/${httpVersion}\r\n`.length + headers + '\r\n'.length;
}

/**
 * Closes the connection after a request for another protocol (`Upgrade: h2c`) when Node has read more than the request.
 * The request itself gets a response, but Node's parser drops the rest of the chunk. If the chunk contained another
 * request, its client would wait for a response forever. If there are no more bytes, the connection stays open, because
 * Java's client sends this header on each of its connections.
 */
function closeIgnoredUpgrades(server: Server): void {
  // This listener must run before Fastify's, which may respond immediately.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { connection, upgrade } = request.headers;
    if (upgrade === undefined || !/\bupgrade\b/i.test(connection ?? '')) return;
    if (request.socket.bytesRead !== headBytes(request)) response.setHeader('connection', 'close');
  });
}

interface ServerSettings extends Answers {
  /** The closed list of problems that the server can return. */
  problems: ProblemKinds;
  logger: Logger;
  /** The maximum number of connections. */
  connections: number;
  bodyLimit?: number;
  /**
   * The URL at which clients reach the server behind a proxy that removes a path prefix. If the URL is empty, clients
   * reach the server at its root.
   */
  publicUrl?: string;
}

/**
 * Creates a Fastify server with the options, hooks and error handlers that all servers share.
 *
 * @returns the server, and `complete`, which must be called once, after all paths are declared; from then on, other
 *   methods are refused, and `close` is graceful
 */
export function createServer(settings: ServerSettings) {
  const { problems, logger, connections, bodyLimit = BODY_LIMIT_BYTES, publicUrl = '' } = settings;
  const app: FastifyInstance = fastify({
    ...OPTIONS,
    bodyLimit,
    frameworkErrors: answerFrameworkErrors(settings, publicUrl),
    clientErrorHandler: (error, socket) => answerClientError(error, socket, pending, settings, publicUrl),
  });
  const pending = pendingResponses(app.server);
  closeIgnoredUpgrades(app.server);
  limitConnections(app, connections, logger);
  // Handlers return a complete string, or a value for JSON.stringify.
  app.setSerializerCompiler(() => JSON.stringify);
  traceRequests(app);
  reportAnswers(app, settings);
  answerProblems(app, problems, logger, publicUrl);
  // Check before Fastify parses the body, because a body that cannot be parsed must not turn a 404 into another error.
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(NO_SNIFFING).header('x-request-id', request.id);
    assertValid(request);
  });
  // Runs for missing files on the reference page, because their route exists although the files do not.
  app.setNotFoundHandler(async () => {
    throw new CommonProblem('not_found', UNKNOWN_PATH);
  });
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  const refuseOtherMethods = watchMethods(app);
  // Some load balancers send this request as a health check by default.
  app.options('/', { schema: { hide: true } }, async (_request, reply) => {
    return reply.code(204).header('allow', 'GET, HEAD, OPTIONS').send();
  });
  const complete = (shutdownDelaySeconds?: number) => {
    stopGracefully(app, pending, shutdownDelaySeconds);
    refuseOtherMethods();
  };
  return { app, complete };
}
