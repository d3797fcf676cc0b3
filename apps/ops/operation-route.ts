import { problemResponses, retryLater } from '@milepost/http';
import { asCommand, asRequest } from '@milepost/operations/mention';
import type { Operation, OperationContext } from '@milepost/operations/operation';
import { Refusal } from '@milepost/operations/refusal';
import type { FastifyInstance } from 'fastify';
import { createInputReader, partsOf } from './operation-input.ts';
import { operatorHeaders } from './plugins/operator.ts';
import { PROBLEMS, type ProblemCode } from './problems/codes.ts';
import { Problem } from './problems/problem.ts';

/** What any operation may answer with beside its own refusals. */
const USUAL: readonly ProblemCode[] = [
  'invalid_parameter',
  'unauthorized',
  'rate_limited',
  'internal',
  'overloaded',
  'unavailable',
];
const USUAL_OF_CHANGES: readonly ProblemCode[] = ['bad_request', 'body_too_large', 'unsupported_media_type'];

function schemaOf(operation: Operation) {
  const { tag, summary, description, answer, statuses, change, method, refusals = [] } = operation;
  const { params, rest } = partsOf(operation);
  const has = (part: typeof params) => Object.keys(part.properties).length > 0;
  const answers = statuses?.map(([status, text]) => [
    status,
    status === 204 ? { type: 'null', description: text } : { ...answer, description: text },
  ]);
  return {
    tags: [tag],
    summary,
    description,
    ...(change ? { headers: operatorHeaders } : {}),
    ...(has(params) ? { params } : {}),
    ...(has(rest) ? { [method === 'GET' ? 'querystring' : 'body']: rest } : {}),
    response: {
      ...(answers ? Object.fromEntries(answers) : { 200: { description: summary, ...answer } }),
      ...problemResponses(PROBLEMS, [...USUAL, ...(change ? USUAL_OF_CHANGES : []), ...refusals]),
    },
  };
}

/** The problem that an operation's error becomes; any other error is returned as it is. */
function problemOf(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  const headers = error.code === 'queue_unavailable' ? retryLater : {};
  return new Problem(error.code, error.message, { headers });
}

/** Declares the route of an operation. */
export function addRoute(
  app: FastifyInstance,
  operation: Operation,
  context: Omit<OperationContext, 'operator' | 'keep' | 'mention'>,
): void {
  const { name, method, path: url, change, secret, statuses } = operation;
  const readInput = createInputReader(operation);
  const config = change ? { action: name, personal: change === 'personal' } : {};
  app.route({
    method,
    url,
    schema: schemaOf(operation),
    config,
    async handler(request, reply) {
      const input = readInput(request);
      const keep = (parameters: object) => {
        request.parameters = parameters;
      };
      // The command line, run with --server, shows what is said here to people who type commands.
      const mention = request.headers['milepost-mention'] === 'command' ? asCommand : asRequest;
      const own = { operator: request.operator, keep, mention };
      const done = await operation.run({ ...context, ...own }, input).catch((error: unknown) => {
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
