import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from '@milepost/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * A request that received a response. `route` is the path with the names of its parameters; null when no route matches.
 */
interface Answered {
  route: string | null;
  status: number;
  seconds: number;
}

/** Where requests that have received a response are reported. */
export interface Answers {
  /** If undefined, requests are not logged. */
  requestLog?: RequestLog | undefined;
  /** Called for each request that received a response. */
  onAnswer?: ((answered: Answered) => void) | undefined;
}

interface RequestLog {
  logger: Logger;
  /** Returns additional fields for a request's log line. */
  about?: (request: FastifyRequest) => Readonly<Record<string, string>>;
}

/**
 * `traceparent` (W3C Trace Context): version, trace id, id of the caller's span, flags. Later versions may add fields.
 */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;

/** Returns the trace id of a request (32 hexadecimal digits), or undefined without a well-formed `traceparent`. */
function traceIdOf({ traceparent }: IncomingHttpHeaders): string | undefined {
  const [, version, traceId, more] = TRACEPARENT.exec(typeof traceparent === 'string' ? traceparent : '') ?? [];
  return version === '00' && more !== undefined ? undefined : traceId;
}

/**
 * Logs a line for a request that received a response. The line contains the route but never the URL, because URLs
 * contain driver ids. `bytes` is the length of the sent body; it is absent for chunked responses. `trace_id` comes from
 * `traceparent`.
 */
function logRequest({ logger, about = () => ({}) }: RequestLog, reply: FastifyReply): void {
  const { request } = reply;
  const length = reply.getHeader('content-length');
  // The logger omits undefined fields.
  const bytes = length === undefined ? undefined : Number(length);
  const milliseconds = Math.round(reply.elapsedTime * 10) / 10;
  const { id: request_id, method } = request;
  const traceId = traceIdOf(request.headers);
  const route = request.routeOptions.url ?? null;
  // Inside a span, the logger adds the trace id itself, so leave this field out rather than set it to undefined.
  const trace = traceId === undefined ? {} : { trace_id: traceId };
  logger.info(
    { request_id, ...trace, method, route, status: reply.statusCode, milliseconds, bytes, ...about(request) },
    'request',
  );
}

/** Reports a request that received a response, whether or not hooks ran for the request. */
export function reportAnswer({ requestLog, onAnswer }: Answers, reply: FastifyReply): void {
  if (requestLog) logRequest(requestLog, reply);
  const { elapsedTime, request, statusCode: status } = reply;
  onAnswer?.({ route: request.routeOptions.url ?? null, status, seconds: elapsedTime / 1000 });
}

/** Reports the response to input that is not a request and so has neither route nor method. */
export function reportClientError({ requestLog, onAnswer }: Answers, id: string, status: number, bytes: number): void {
  requestLog?.logger.info({ request_id: id, method: null, route: null, status, bytes }, 'request');
  onAnswer?.({ route: null, status, seconds: 0 });
}

/** Reports the response to each request for which hooks run, even if Fastify does not find a route for it. */
export function reportAnswers(app: FastifyInstance, answers: Answers): void {
  if (!answers.requestLog && !answers.onAnswer) return;
  app.addHook('onResponse', (_request, reply, done) => {
    reportAnswer(answers, reply);
    done();
  });
}
