import { answerProblems, limitConnections, serverOptions, shedOverload, stopGracefully } from '@milepost/http';
import type { OperationContext } from '@milepost/operations/operation';
import { OPERATIONS } from '@milepost/operations/operations';
import { type Pool, ROLES, type Role } from '@milepost/postgres';
import type { Logger } from '@milepost/service';
import fastify, { type FastifyInstance } from 'fastify';
import { addRoute } from './operation-route.ts';
import { keepAuditTrail } from './plugins/audit-trail.ts';
import { authenticateOperators } from './plugins/authentication.ts';
import { reportProgress } from './plugins/health.ts';
import { acceptJson } from './plugins/json.ts';
import { reportMetrics } from './plugins/metrics.ts';
import { documentOperations } from './plugins/openapi.ts';
import { watchMethods } from './plugins/other-methods.ts';
import { limitRate } from './plugins/rate-limit.ts';
import { PROBLEMS } from './problems/codes.ts';

const CONNECTIONS = { connections: 500, strangers: 400 };
const REQUESTS_UNDER_WAY = 50;
/** Fewer than connections, so that the status is always answered. */
const HEAVY_REQUESTS_UNDER_WAY = 3;
const REQUESTS_PER_MINUTE = 600;
const BODY_LIMIT_BYTES = 256 * 1024;

/** The caller ends the pools, after the server is closed. */
export interface OpsOptions extends Pick<OperationContext, 'enqueue' | 'askEndOffsets'> {
  /** In the role `milepost_operator`. */
  pool: Pool;
  /** In the role `milepost_ingest`: dead letters that are tried again are stored as records are. */
  ingestPool: Pool;
  /** In the role `milepost_eraser`. */
  eraserPool: Pool;
  logger: Logger;
  /** Undefined: everything but health, metrics and the reference is refused. */
  token: string | undefined;
  /** A stored event that waits for longer to be applied turns readiness red. */
  maximumLagSeconds: number;
  /** Of one address. */
  requestsPerMinute?: number;
}

/** What needs the token. Checks run in this order: overload, rate, token, the operator's name, the input. */
async function addOperations(
  app: FastifyInstance,
  options: OpsOptions,
  knowCallers: (scope: FastifyInstance) => void,
): Promise<void> {
  const { logger, token, requestsPerMinute = REQUESTS_PER_MINUTE, enqueue, askEndOffsets } = options;
  shedOverload(app, { atOnce: REQUESTS_UNDER_WAY });
  keepAuditTrail(app, options.pool, logger);
  await limitRate(app, requestsPerMinute);
  await authenticateOperators(app, token);
  knowCallers(app);
  const pools = new Map<Role, Pool>([
    [ROLES.operator, options.pool],
    [ROLES.ingest, options.ingestPool],
    [ROLES.eraser, options.eraserPool],
  ]);
  const poolAs = (role: Role) => {
    const pool = pools.get(role);
    if (!pool) throw new Error(`No operation acts in the role ${role}.`);
    return pool;
  };
  const context = { pool: poolAs, enqueue, askEndOffsets };
  for (const operation of OPERATIONS.filter(({ heavy }) => !heavy)) addRoute(app, operation, context);
  await app.register(async (scope) => {
    shedOverload(scope, { atOnce: HEAVY_REQUESTS_UNDER_WAY });
    for (const operation of OPERATIONS.filter(({ heavy }) => heavy)) addRoute(scope, operation, context);
  });
}

/** Builds the operators' HTTP API, ready to listen. */
export async function buildOps(options: OpsOptions): Promise<FastifyInstance> {
  const app = fastify({ ...serverOptions, bodyLimit: BODY_LIMIT_BYTES });
  const knowCallers = limitConnections(app, CONNECTIONS);
  app.setSerializerCompiler(() => JSON.stringify);
  // Operations check their input themselves, with the schemas that document it.
  app.setValidatorCompiler(() => () => true);
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
  await app.register(async (scope) => await addOperations(scope, options, knowCallers));
  refuseOtherMethods();
  await app.ready();
  return app;
}
