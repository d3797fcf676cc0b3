import type { Logger } from '@milepost/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toProblem } from './classify.ts';
import { CommonProblem } from './common-problems.ts';
import { logSparsely } from './log-sparsely.ts';
import { type HttpProblem, NO_SNIFFING, PROBLEM_TYPE, type ProblemKinds, problemBody } from './problem.ts';
import { problemSchema } from './schema.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request is answered with when it is not answered as asked. */
    problem: HttpProblem | null;
  }
}

function sendProblem(reply: FastifyReply, problem: HttpProblem): FastifyReply {
  const { id } = reply.request;
  return reply
    .code(problem.status)
    .headers({ ...NO_SNIFFING, ...problem.headers })
    .header('cache-control', 'no-store')
    .header('x-request-id', id)
    .type(PROBLEM_TYPE)
    .send(problemBody(problem, id));
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

/** Answers errors that Fastify meets before it has found a route, such as a path that is not valid percent-encoding. */
export function answerFrameworkError(error: unknown, _request: FastifyRequest, reply: FastifyReply): void {
  sendProblem(reply, toProblem(error));
}

/**
 * Makes every error, every unknown path, and every request that is not as HTTP wants it, an `application/problem+json`
 * answer. Only faults of the service are logged, and those that pass only now and then.
 *
 * @param kinds the server's closed list of problems
 */
export function answerProblems(app: FastifyInstance, kinds: ProblemKinds, logger: Logger): void {
  app.addSchema(problemSchema(kinds));
  app.decorateRequest('problem', null);
  const tellUnanswered = logSparsely(logger);
  app.setErrorHandler(async (error, request, reply) => {
    const problem = toProblem(error, kinds);
    request.problem = problem;
    if (problem.status >= 500) {
      const { method, id, routeOptions } = request;
      const details = { error, code: problem.code, request_id: id, method, route: routeOptions.url };
      if (problem.code === 'internal') logger.error(details, problem.message);
      else tellUnanswered(problem, details);
    }
    return sendProblem(reply, problem);
  });
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
}
