import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../log.ts';
import { toProblem } from './classify.ts';
import { CommonProblem } from './common-problems.ts';
import { type HttpProblem, PROBLEM_TYPE, type ProblemKinds, problemBody } from './problem.ts';
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
    .headers(problem.headers)
    .header('cache-control', 'no-store')
    .header('x-request-id', id)
    .type(PROBLEM_TYPE)
    .send(problemBody(problem, id));
}

/** Answers errors that Fastify meets before it has found a route, such as a path that is not valid percent-encoding. */
export function answerFrameworkError(error: unknown, _request: FastifyRequest, reply: FastifyReply): void {
  sendProblem(reply, toProblem(error));
}

/**
 * Makes every error, and every unknown path, an `application/problem+json` answer. Only faults of the service are logged.
 *
 * @param kinds the server's closed list of problems
 */
export function answerProblems(app: FastifyInstance, kinds: ProblemKinds, logger: Logger): void {
  app.addSchema(problemSchema(kinds));
  app.decorateRequest('problem', null);
  app.setErrorHandler(async (error, request, reply) => {
    const problem = toProblem(error, kinds);
    request.problem = problem;
    if (problem.status >= 500) {
      const level = problem.code === 'internal' ? 'error' : 'warn';
      const { method, id, routeOptions } = request;
      logger[level]({ error, code: problem.code, request_id: id, method, route: routeOptions.url }, problem.message);
    }
    return sendProblem(reply, problem);
  });
  // Thrown before the body is looked at: a body that cannot be parsed must not turn a 404 into something else.
  app.addHook('onRequest', async (request) => {
    if (request.is404) {
      throw new CommonProblem('not_found', 'There is no such path: see /openapi.json for those there are.');
    }
  });
}
