import { answerProblems, limitConnections, serverOptions, shedOverload, stopGracefully } from '@milepost/http';
import { OPERATIONS } from '@milepost/operations/operations';
import { type Pool, ROLES, type Role } from '@milepost/postgres';
import type { Logger } from '@milepost/service';
import fastify, { type FastifyInstance } from 'fastify';
import { addRoute } from './operation-route.ts';
import { keepAuditTrail } from './plugins/audit-trail.ts';
import { authenticateOperators } from './plugins/authentication.ts';
import { reportProgress } from './plugins/health.ts';
import { reportMetrics } from './plugins/metrics.ts';
import { documentOperations } from './plugins/openapi.ts';
import { watchMethods } from './plugins/other-methods.ts';
import { limitRate } from './plugins/rate-limit.ts';
import { PROBLEMS } from './problems/codes.ts';
import { acceptJson } from './request/json.ts';
import { refuseUnknownQuery } from './request/known-query.ts';
import { validateBodies } from './request/validate.ts';
import type { RouteContext } from './routes/context.ts';
import { HEAVY_ROUTES, ROUTES } from './routes/index.ts';

const CONNECTIONS = { connections: 500, strangers: 400 };
const REQUESTS_UNDER_WAY = 50;
/** Fewer than connections, so that the status is always answered. */
const HEAVY_REQUESTS_UNDER_WAY = 3;
const REQUESTS_PER_MINUTE = 600;
const BODY_LIMIT_BYTES = 256 * 1024;

/** The caller ends the pools, after the server is closed. */
export interface OpsOptions extends RouteContext {
  logger: Logger;
  /** Undefined: everything but health, metrics and the reference is refused. */
  token: string | undefined;
  /** A stored event that waits for longer to be applied turns readiness red. */
  maximumLagSeconds: number;
  /** Of one address. */
  requestsPerMinute?: number;
}

/** What needs the token. Checks run in this order: overload, rate, token, the operator's name, query, body. */
async function operations(
  app: FastifyInstance,
  { logger, token, requestsPerMinute = REQUESTS_PER_MINUTE, ...context }: OpsOptions,
  knowCallers: (scope: FastifyInstance) => void,
): Promise<void> {
  shedOverload(app, { atOnce: REQUESTS_UNDER_WAY });
  keepAuditTrail(app, context.pool, logger);
  await limitRate(app, requestsPerMinute);
  await authenticateOperators(app, token);
  knowCallers(app);
  refuseUnknownQuery(app);
  for (const route of ROUTES) await app.register(route, context);
  const pools = {
    [ROLES.operator]: context.pool,
    [ROLES.ingest]: context.ingestPool,
    [ROLES.eraser]: context.eraserPool,
  };
  const poolAs = (role: Role) => {
    const pool = new Map<string, Pool>(Object.entries(pools)).get(role);
    if (!pool) throw new Error(`No operation acts in the role ${role}.`);
    return pool;
  };
  for (const operation of OPERATIONS) addRoute(app, operation, { ...context, pool: poolAs });
  await app.register(async (scope) => {
    shedOverload(scope, { atOnce: HEAVY_REQUESTS_UNDER_WAY });
    for (const route of HEAVY_ROUTES) await scope.register(route, context);
  });
}

/** Builds the operators' HTTP API, ready to listen. */
export async function buildOps(options: OpsOptions): Promise<FastifyInstance> {
  const app = fastify({ ...serverOptions, bodyLimit: BODY_LIMIT_BYTES });
  const knowCallers = limitConnections(app, CONNECTIONS);
  app.setSerializerCompiler(() => JSON.stringify);
  validateBodies(app);
  acceptJson(app);
  answerProblems(app, PROBLEMS, options.logger);
  await documentOperations(app);
  const refuseOtherMethods = watchMethods(app);
  reportProgress(app, options.pool, {
    maximumLagSeconds: options.maximumLagSeconds,
    expectsIngest: options.askEndOffsets !== null,
  });
  reportMetrics(app, options.pool, options.logger);
  // After health, which has to say that the server stops before the last requests are waited for.
  stopGracefully(app);
  await app.register(async (scope) => await operations(scope, options, knowCallers));
  refuseOtherMethods();
  await app.ready();
  return app;
}
