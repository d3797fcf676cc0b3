import type { Logger } from '@milepost/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toProblem } from './classify.ts';
import { logSparsely } from './log-sparsely.ts';
import { type HttpProblem, NO_SNIFFING, PROBLEM_TYPE, type ProblemKinds, problemBody } from './problem.ts';
import { type Answers, reportAnswer } from './request-log.ts';

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
    .send(problemBody(problem, id, publicUrl));
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
