import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { FastifyHttpOptions } from 'fastify';
import { answerClientError } from './client-errors.ts';
import { answerFrameworkError } from './problem-answers.ts';
import { parseQuery } from './query.ts';

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
export const serverOptions: FastifyHttpOptions<Server> = {
  genReqId: () => randomUUID(),
  bodyLimit: BODY_LIMIT_BYTES,
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
    // Node's own refusal has no body; ours is in problem-answers.ts.
    requireHostHeader: false,
  },
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
