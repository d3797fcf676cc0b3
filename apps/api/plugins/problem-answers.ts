import type { Logger } from '@milepost/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toProblem } from '../problems/classify.ts';
import { PROBLEM_TYPE, Problem, problemBody } from '../problems/problem.ts';
import { ProblemDetails } from '../problems/schema.ts';

function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
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

/** Makes every error, and every unknown path, an `application/problem+json` answer. Only faults of the service are logged. */
export function answerProblems(app: FastifyInstance, logger: Logger): void {
  app.addSchema(ProblemDetails);
  app.setErrorHandler(async (error, request, reply) => {
    const problem = toProblem(error);
    if (problem.status >= 500) {
      const level = problem.code === 'internal' ? 'error' : 'warn';
      const { method, id, routeOptions } = request;
      logger[level]({ error, code: problem.code, request_id: id, method, route: routeOptions.url }, problem.message);
    }
    return sendProblem(reply, problem);
  });
  // Thrown before the body is looked at: a body that cannot be parsed must not turn a 404 into something else.
  app.addHook('onRequest', async (request) => {
    if (request.is404) throw new Problem('not_found', 'There is no such path: see /openapi.json for those there are.');
  });
}
