import type { Logger } from '@milepost/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toProblem } from './classify.ts';
import { logSparsely } from './log-sparsely.ts';
import { type HttpProblem, NO_SNIFFING, PROBLEM_TYPE, type ProblemKinds, problemBody } from './problem.ts';

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

/** Answers errors that Fastify meets before it has found a route, such as a path that is not valid percent-encoding. */
export function answerFrameworkError(error: unknown, _request: FastifyRequest, reply: FastifyReply): void {
  sendProblem(reply, toProblem(error));
}

/**
 * Makes every error an `application/problem+json` answer. Only failures of the service are logged, and those that pass
 * only now and then.
 *
 * @param kinds the server's closed list of problems
 */
export function answerProblems(app: FastifyInstance, kinds: ProblemKinds, logger: Logger): void {
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
}
