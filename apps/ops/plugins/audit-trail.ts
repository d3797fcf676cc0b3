import { type OperationResult, recordOperation } from '@milepost/operations/audit-trail';
import type { Pool } from '@milepost/postgres';
import { type Logger, messageOf } from '@milepost/service';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { DEFAULT_OPERATOR, readOperator } from './operator.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who changes something, as far as is known. */
    operator: string;
    /** What the audit trail says that it was asked for with; null: path and body, unless these are personal. */
    parameters: object | null;
    /** What came of it, for the audit trail, once it is done: a few words, never a secret. */
    outcomeDetail: string | null;
  }
  interface FastifyContextConfig {
    /** What a changing route does, as the audit trail calls it: `keys.create`. */
    action?: string;
    /** Path and body name a person, and the audit trail is kept for good: it has `request.parameters` alone. */
    personal?: boolean;
  }
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
const STRANGER = 'unauthenticated';
/** Strangers must not be able to fill the database: of what they try, one operation in this time is recorded. */
const STRANGER_MILLISECONDS = 1_000;

function assertAction({ method, url, config }: RouteOptions): void {
  const changing = [method].flat().some((one) => !READING.has(one));
  if (changing && config?.action === undefined)
    throw new Error(`${method} ${url} changes something and has no action.`);
}

function resultOf(statusCode: number, { problem, outcomeDetail }: FastifyRequest): OperationResult {
  if (statusCode < 400) return { outcome: 'done', detail: outcomeDetail };
  return { outcome: statusCode < 500 ? 'refused' : 'failed', detail: problem?.message ?? null };
}

function parametersOf({ params, body, parameters, routeOptions }: FastifyRequest): object {
  if (parameters !== null || routeOptions.config.personal) return parameters ?? {};
  const named = typeof params === 'object' ? params : {};
  return { ...named, ...(typeof body === 'object' && !Array.isArray(body) ? body : { body }) };
}

/**
 * Records every changing request of the routes declared afterwards, before it is answered: who, what, and what came of
 * it, refused and failed ones too. What was done although its record cannot be written is logged in full.
 */
export function keepAuditTrail(app: FastifyInstance, pool: Pool, logger: Logger): void {
  let strangerAt = Number.NEGATIVE_INFINITY;
  function isOneTooMany(actor: string): boolean {
    if (actor !== STRANGER) return false;
    if (performance.now() - strangerAt < STRANGER_MILLISECONDS) return true;
    strangerAt = performance.now();
    return false;
  }

  app.decorateRequest('operator', STRANGER);
  app.decorateRequest('parameters', null);
  app.decorateRequest('outcomeDetail', null);
  app.addHook('onRoute', assertAction);
  // Not onRequest, where the token has not been looked at yet.
  app.addHook('preParsing', async (request) => {
    request.operator = DEFAULT_OPERATOR;
    if (request.routeOptions.config.action !== undefined) request.operator = readOperator(request);
  });
  app.addHook('onSend', async (request, reply) => {
    const { action } = request.routeOptions.config;
    if (action === undefined || isOneTooMany(request.operator)) return;
    const attempt = { actor: request.operator, via: 'http', action, parameters: parametersOf(request) } as const;
    const result = resultOf(reply.statusCode, request);
    await recordOperation(pool, attempt, result).catch((error: unknown) => {
      logger.error({ ...attempt, ...result, reason: messageOf(error) }, 'An operation could not be recorded.');
    });
  });
}
