import { jsonResponse, problemResponses, RATE_LIMIT_HEADERS, retryLater } from '@milepost/http';
import { asCommand, asRequest } from '@milepost/operations/mention';
import type { Operation, OperationContext } from '@milepost/operations/operation';
import { Refusal } from '@milepost/operations/refusal';
import { roomOf } from '@milepost/operations/rooms';
import type { FastifyInstance } from 'fastify';
import { createInputReader, partsOf } from './operation-input.ts';
import { operatorHeaders } from './plugins/operator.ts';
import { PROBLEMS, Problem, type ProblemCode } from './problems.ts';

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

/** `replayPause`, of `replay.pause`. */
function operationId({ name }: Operation): string {
  return name.replace(/[.-]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function schemaOf(operation: Operation) {
  const { summary, description, answer, statuses, change, method, refusals = [] } = operation;
  const { params, others } = partsOf(operation);
  const id = operationId(operation);
  const resource = `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`;
  const has = (part: typeof params) => Object.keys(part.properties).length > 0;
  const named = { $id: `${resource}Answer`, ...answer };
  const usual = [[200, summary]] as const;
  const answers = (statuses ?? usual).map(([status, text]) => [
    status,
    status === 204
      ? { type: 'null', description: text, headers: RATE_LIMIT_HEADERS }
      : { ...jsonResponse(named, RATE_LIMIT_HEADERS), description: text },
  ]);
  return {
    operationId: id,
    tags: [roomOf(operation).tag],
    summary,
    description,
    ...(change ? { headers: operatorHeaders } : {}),
    ...(has(params) ? { params } : {}),
    ...(has(others) ? { [method === 'GET' ? 'querystring' : 'body']: others } : {}),
    response: {
      ...Object.fromEntries(answers),
      ...problemResponses(PROBLEMS, [...USUAL, ...(change ? USUAL_OF_CHANGES : []), ...refusals], { counted: true }),
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
