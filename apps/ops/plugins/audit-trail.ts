import { type OperationResult, recordOperation } from '@milepost/operations/audit-trail';
import { withLane } from '@milepost/operations/lane';
import type { Pool } from '@milepost/postgres';
import { FIRST_LANE } from '@milepost/postgres/lanes';
import { type Logger, messageOf } from '@milepost/service';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { DEFAULT_OPERATOR, readOperator } from './operator.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The name of the person or program that sent the request. */
    operator: string;
    /** The lane of the operation. */
    laneNumber: number;
    /**
     * The parameters for the audit trail. If null, the trail stores the path parameters and the body, unless they are
     * personal.
     */
    parameters: object | null;
    /** The result in a few words, for the audit trail. It never contains a secret. */
    outcomeDetail: string | null;
  }
  interface FastifyContextConfig {
    /** The operation's name in the audit trail, such as `keys.create`. A route that changes data must have a name. */
    action?: string;
    /**
     * Whether the path and the body identify a person. The audit trail is permanent, so the entry for such a request
     * contains only `request.parameters`.
     */
    personal?: boolean;
  }
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
const UNAUTHENTICATED = 'unauthenticated';
/** Unauthenticated requests must not fill the database, so at most one per interval is recorded. */
const UNAUTHENTICATED_INTERVAL_MILLISECONDS = 1_000;

function assertAction({ method, url, config }: RouteOptions): void {
  const changing = [method].flat().some((one) => !READING.has(one));
  if (changing && config?.action === undefined)
    throw new Error(`The route ${method} ${url} changes data, but declares no action for the audit trail.`);
}

function resultOf(statusCode: number, { problem, outcomeDetail }: FastifyRequest): OperationResult {
  if (statusCode < 400) return { outcome: 'done', detail: outcomeDetail };
  return { outcome: statusCode < 500 ? 'refused' : 'failed', detail: problem?.message ?? null };
}

function parametersOf({ params, body, parameters, laneNumber, routeOptions }: FastifyRequest): object {
  if (parameters !== null || routeOptions.config.personal) return withLane(parameters ?? {}, laneNumber);
  const named = typeof params === 'object' ? params : {};
  return withLane({ ...named, ...(typeof body === 'object' && !Array.isArray(body) ? body : { body }) }, laneNumber);
}

/**
 * Records every request to the data-changing routes declared after this call, even if the request is refused or fails.
 * The entry is stored before the response is sent. An entry that cannot be stored is logged in full.
 */
export function keepAuditTrail(app: FastifyInstance, directory: Pool, logger: Logger): void {
  let unauthenticatedAt = Number.NEGATIVE_INFINITY;
  function isOverLimit(actor: string): boolean {
    if (actor !== UNAUTHENTICATED) return false;
    if (performance.now() - unauthenticatedAt < UNAUTHENTICATED_INTERVAL_MILLISECONDS) return true;
    unauthenticatedAt = performance.now();
    return false;
  }

  app.decorateRequest('operator', UNAUTHENTICATED);
  app.decorateRequest('laneNumber', FIRST_LANE);
  app.decorateRequest('parameters', null);
  app.decorateRequest('outcomeDetail', null);
  app.addHook('onRoute', assertAction);
  // An onRequest hook would run too early, because the token would not have been checked yet.
  app.addHook('preParsing', async (request) => {
    request.operator = DEFAULT_OPERATOR;
    if (request.routeOptions.config.action !== undefined) request.operator = readOperator(request);
  });
  app.addHook('onSend', async (request, reply) => {
    const { action } = request.routeOptions.config;
    if (action === undefined || isOverLimit(request.operator)) return;
    const attempt = { actor: request.operator, via: 'http', action, parameters: parametersOf(request) } as const;
    const result = resultOf(reply.statusCode, request);
    await recordOperation(directory, attempt, result).catch((error: unknown) => {
      logger.error({ ...attempt, ...result, reason: messageOf(error) }, 'An operation could not be recorded.');
    });
  });
}
