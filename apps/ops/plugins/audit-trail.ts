import { type Outcome, recordOperation } from '@milepost/operations/audit-trail';
import type { Operation } from '@milepost/operations/operation';
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
    lane: number;
    /**
     * The parameters for the audit trail. If null, the trail stores the path parameters and the body, unless they are
     * personal.
     */
    parameters: object | null;
    /** The result in a few words, for the audit trail. It never contains a secret. */
    outcomeDetail: string | null;
  }
  interface FastifyContextConfig {
    /**
     * The operation that the route runs. A route that changes data must have one. The audit trail is permanent, so an
     * entry about a change to personal data contains only `request.parameters`, not the path and the body.
     */
    operation?: Pick<Operation, 'name' | 'change'>;
  }
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
const UNAUTHENTICATED = 'unauthenticated';
/** Unauthenticated requests must not fill the database, so at most one per interval is recorded. */
const UNAUTHENTICATED_INTERVAL_MILLISECONDS = 1_000;

function assertAction({ method, url, config }: RouteOptions): void {
  const changing = [method].flat().some((one) => !READING.has(one));
  if (changing && !config?.operation?.change)
    throw new Error(`The route ${method} ${url} changes data, but declares no action for the audit trail.`);
}

function outcomeOf(statusCode: number, { problem, outcomeDetail }: FastifyRequest): Outcome {
  if (statusCode < 400) return { outcome: 'done', detail: outcomeDetail };
  return { outcome: statusCode < 500 ? 'refused' : 'failed', detail: problem?.message ?? null };
}

function parametersOf({ params, body, parameters, routeOptions }: FastifyRequest): object {
  if (parameters !== null || routeOptions.config.operation?.change === 'personal') return parameters ?? {};
  const named = typeof params === 'object' ? params : {};
  return { ...named, ...(typeof body === 'object' && !Array.isArray(body) ? body : { body }) };
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
  app.decorateRequest('lane', FIRST_LANE);
  app.decorateRequest('parameters', null);
  app.decorateRequest('outcomeDetail', null);
  app.addHook('onRoute', assertAction);
  // An onRequest hook would run too early, because the token would not have been checked yet.
  app.addHook('preParsing', async (request) => {
    request.operator = DEFAULT_OPERATOR;
    if (request.routeOptions.config.operation?.change) request.operator = readOperator(request);
  });
  app.addHook('onSend', async (request, reply) => {
    const { operation } = request.routeOptions.config;
    if (!operation?.change || isOverLimit(request.operator)) return;
    const { operator: actor, lane } = request;
    const attempt = { actor, via: 'http', action: operation.name, parameters: parametersOf(request), lane } as const;
    const outcome = outcomeOf(reply.statusCode, request);
    await recordOperation(directory, attempt, outcome).catch((error: unknown) => {
      logger.error({ ...attempt, ...outcome, reason: messageOf(error) }, 'An operation could not be recorded.');
    });
  });
}
