import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { invalidParameters } from '@milepost/http/check';
import { jsonResponse, problemResponses, RATE_LIMIT_HEADERS } from '@milepost/http/schema';
import { groupOf } from '@milepost/operations/groups';
import type { Operation } from '@milepost/operations/operation';
import { Refusal } from '@milepost/operations/refusal';
import { nextAfter, refusalSentence } from '@milepost/operations/refusals';
import { type OperationServices, runOperation } from '@milepost/operations/run';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { partsOf } from './operation-input.ts';
import { operatorHeaders } from './plugins/operator.ts';
import { PROBLEMS, Problem, type ProblemCode } from './problems.ts';

/** The problems with which every operation may respond, in addition to its refusals. */
const COMMON: readonly ProblemCode[] = [
  'invalid_parameter',
  'unauthorized',
  'rate_limited',
  'internal',
  'overloaded',
  'unavailable',
];

/** The beginning of every path that contains a lane. */
export const LANE_PATH = '/lanes/:lane';

/** The input of every path that contains a lane. */
export const LaneNumber = Type.Integer({ minimum: 0, description: 'A number from the list of lanes.' });

const COMMON_OF_CHANGES: readonly ProblemCode[] = ['bad_request', 'body_too_large', 'unsupported_media_type'];

/** Returns the OpenAPI operationId, such as `replayPause` for `replay.pause`. */
function idOf({ name }: Operation): string {
  return name.replace(/[.-]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the schema of an operation's route. */
export function schemaOf(operation: Operation) {
  const { summary, description, answer, statuses, change, refusals = [] } = operation;
  const { params, querystring, body } = partsOf(operation);
  const id = idOf(operation);
  const resource = `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`;
  const named = { $id: `${resource}Answer`, ...answer };
  const answers = (statuses ?? ([[200, summary]] as const)).map(([status, text]) => [
    status,
    status === 204
      ? { type: 'null', description: text, headers: RATE_LIMIT_HEADERS }
      : { ...jsonResponse(named, RATE_LIMIT_HEADERS), description: text },
  ]);
  return {
    operationId: operation.path.startsWith(LANE_PATH) ? `${id}InLane` : id,
    tags: [groupOf(operation).tag],
    summary,
    description,
    ...(change ? { requestHeaders: operatorHeaders } : {}),
    params,
    querystring,
    // Fastify logs a warning for a schema with an undefined body.
    ...(body ? { body } : {}),
    response: {
      ...Object.fromEntries(answers),
      ...problemResponses(PROBLEMS, [...COMMON, ...(change ? COMMON_OF_CHANGES : []), ...refusals], { counted: true }),
    },
  };
}

/** Throws a refusal as a problem, and any other error unchanged. */
export function throwProblem(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  const { reason } = error;
  const extensions = { refusal: reason, next: nextAfter(reason) };
  throw new Problem(reason.code, refusalSentence(reason), { extensions });
}

/** Returns the variant of an operation whose path contains the lane. */
export function inLane(operation: Operation): Operation {
  const { path, summary, input, refusals = [] } = operation;
  return {
    ...operation,
    path: `${LANE_PATH}${path}`,
    summary: `${summary}, in a lane`,
    input: Type.Object({ lane: LaneNumber, ...input.properties }),
    refusals: ['lane_not_found', ...refusals],
  };
}

/** Adds an operation's routes, one without and one with a lane in the path. */
export function addRoutes(app: FastifyInstance, operation: Operation, services: OperationServices): void {
  addRoute(app, operation, services);
  if (!operation.shared) addRoute(app, inLane(operation), services);
}

function addRoute(app: FastifyInstance, operation: Operation, services: OperationServices): void {
  const { method, path: url, secret } = operation;
  const isInLane = url.startsWith(LANE_PATH);
  app.withTypeProvider<TypeBoxTypeProvider>().route({
    method,
    url,
    schema: schemaOf(operation),
    config: { operation },
    async handler(request, reply) {
      const input: { lane?: number } = { ...request.query, ...Object(request.body), ...request.params };
      const lane = isInLane ? input.lane : undefined;
      if (isInLane) delete input.lane;
      const errors = operation.inputErrors?.(input) ?? [];
      if (errors.length > 0) throw invalidParameters(errors);
      const caller = { operator: request.operator, lane, attempt: request };
      const done = await runOperation(operation, input, services, caller).catch(throwProblem);
      request.outcomeDetail = done.detail;
      reply.code(done.status);
      if (done.location !== undefined) reply.header('location', `${isInLane ? `/lanes/${lane}` : ''}${done.location}`);
      if (secret) reply.header('cache-control', 'no-store');
      return reply.send(done.status === 204 ? undefined : done.answer);
    },
  });
}
