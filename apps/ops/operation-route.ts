import { asRequest } from '@milepost/operations/mention';
import type { Operation, OperationContext } from '@milepost/operations/operation';
import { Refusal, WrongInput } from '@milepost/operations/refusal';
import { retryLater } from '@milepost/http';
import type { FastifyInstance } from 'fastify';
import { partsOf, readInput } from './operation-input.ts';
import { Problem } from './problems/problem.ts';
import { changeProblems, problems } from './routes/context.ts';
import { operatorHeaders } from './routes/schemas.ts';

function schemaOf(operation: Operation) {
  const { tag, summary, description, answer, statuses, change, refusals = [] } = operation;
  const { params, rest, inQuery } = partsOf(operation);
  const has = (part: typeof params) => Object.keys(part.properties).length > 0;
  const answers = (statuses ?? [[200, summary] as const]).map(([status, text]) => [
    status,
    status === 204
      ? { type: 'null', description: text }
      : { description: text, ...answer, ...(statuses ? { description: text } : {}) },
  ]);
  return {
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(change ? { headers: operatorHeaders } : {}),
    ...(has(params) ? { params } : {}),
    ...(has(rest) ? { [inQuery ? 'querystring' : 'body']: rest } : {}),
    response: { ...Object.fromEntries(answers), ...(change ? changeProblems(...refusals) : problems(...refusals)) },
  };
}

/** The problem that an operation's error becomes; any other error is returned as it is. */
function problemOf(error: unknown): unknown {
  if (error instanceof WrongInput) {
    const errors = [{ parameter: error.parameter, message: error.message }];
    return new Problem('invalid_parameter', `Wrong or missing: ${error.parameter}.`, { errors });
  }
  if (!(error instanceof Refusal)) return error;
  const headers = error.code === 'queue_unavailable' ? retryLater : {};
  return new Problem(error.code, error.sentence(asRequest), { headers });
}

/** Declares the route of an operation. */
export function addRoute(
  app: FastifyInstance,
  operation: Operation,
  context: Omit<OperationContext, 'operator' | 'keep'>,
): void {
  const { name, method, path: url, change, secret, statuses } = operation;
  const config = change ? { action: name, personal: change === 'personal' } : {};
  app.route({
    method,
    url,
    schema: schemaOf(operation),
    config,
    async handler(request, reply) {
      const input = await readInput(operation, request);
      const keep = (parameters: object) => {
        request.parameters = parameters;
      };
      const done = await operation
        .run({ ...context, operator: request.operator, keep }, input)
        .catch((error: unknown) => {
          throw problemOf(error);
        });
      request.outcomeDetail = done.detail ?? null;
      reply.code(done.status ?? statuses?.[0]?.[0] ?? 200);
      if (done.location !== undefined) reply.header('location', done.location);
      if (secret) reply.header('cache-control', 'no-store');
      return reply.send(reply.statusCode === 204 ? undefined : done.answer);
    },
  });
}
