import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '@milepost/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toProblem } from './classify.ts';
import { CommonProblem } from './common-problems.ts';
import { logSparsely } from './log-sparsely.ts';
import { type HttpProblem, NO_SNIFFING, PROBLEM_TYPE, type ProblemKinds, problemDetails } from './problem.ts';
import { type Answers, reportAnswer, reportClientError } from './request-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The problem with which the server responds to this request; null if there is no error. */
    problem: HttpProblem | null;
  }
}

function sendProblem(reply: FastifyReply, problem: HttpProblem, publicUrl: string): FastifyReply {
  const { id } = reply.request;
  return reply
    .code(problem.status)
    .headers({ ...NO_SNIFFING, ...problem.headers })
    .header('cache-control', 'no-store')
    .header('x-request-id', id)
    .type(PROBLEM_TYPE)
    .send(JSON.stringify(problemDetails(problem, id, publicUrl)));
}

/**
 * Returns the `frameworkErrors` handler for errors that occur before Fastify finds a route, such as a path with invalid
 * percent-encoding. No hook runs for these requests.
 */
export function answerFrameworkErrors(answers: Answers, publicUrl: string) {
  return (error: unknown, _request: FastifyRequest, reply: FastifyReply): void => {
    reply.raw.once('finish', () => reportAnswer(answers, reply));
    sendProblem(reply, toProblem(error), publicUrl);
  };
}

/**
 * Sends every error as `application/problem+json`. Logs only errors with status 500 or above, and transient ones only
 * at intervals.
 *
 * @param kinds the server's closed list of problems
 */
export function answerProblems(app: FastifyInstance, kinds: ProblemKinds, logger: Logger, publicUrl: string): void {
  app.decorateRequest('problem', null);
  const logUnanswered = logSparsely(logger);
  app.setErrorHandler(async (error, request, reply) => {
    const problem = toProblem(error, kinds);
    request.problem = problem;
    if (problem.status >= 500) {
      const { method, id, routeOptions } = request;
      const details = { error, code: problem.code, request_id: id, method, route: routeOptions.url };
      if (problem.code === 'internal') logger.error(details, problem.message);
      else logUnanswered(problem, details);
    }
    return sendProblem(reply, problem, publicUrl);
  });
}

const PROBLEMS: Readonly<Record<string, CommonProblem>> = {
  HPE_HEADER_OVERFLOW: new CommonProblem('headers_too_large', 'The URL and the headers of the request exceed 128 KiB.'),
  ERR_HTTP_REQUEST_TIMEOUT: new CommonProblem('request_timeout', 'The request did not arrive in time.'),
};
const INVALID = new CommonProblem('bad_request', 'The request is not valid HTTP.');

/**
 * Responds to input that Node's HTTP parser rejects and that therefore never becomes a request. Sends the response
 * after the responses to earlier requests on the connection, and then closes the connection.
 *
 * @param pending the server's pending responses
 */
export async function answerClientError(
  { code = '' }: { code?: string },
  socket: Socket,
  pending: Iterable<ServerResponse>,
  answers: Answers,
  publicUrl: string,
): Promise<void> {
  if (code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  // Read and drop all further bytes instead of parsing them. The parser would report each chunk as a new error, and
  // would end the connection as soon as the client closes its side. If the socket closed with unread bytes, the system
  // would reset it and the response would be lost.
  socket
    .removeAllListeners('data')
    .removeAllListeners('end')
    .on('data', () => {});
  // Wait for the responses to earlier requests. The input that the parser has rejected may look like a request too, but
  // it is incomplete, and its response has no headers yet.
  const earlier = [...pending].filter(({ req, headersSent }) => req.socket === socket && (req.complete || headersSent));
  await Promise.all(earlier.map((response) => new Promise((resolve) => response.once('close', resolve))));
  if (socket.writable) {
    const problem = PROBLEMS[code] ?? INVALID;
    const id = randomUUID();
    const body = JSON.stringify(problemDetails(problem, id, publicUrl));
    const headers = {
      connection: 'close',
      'content-length': Buffer.byteLength(body),
      'content-type': PROBLEM_TYPE,
      'x-request-id': id,
      ...NO_SNIFFING,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`);
    reportClientError(answers, id, problem.status, Buffer.byteLength(body));
  }
  socket.destroySoon();
}
