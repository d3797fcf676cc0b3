import { createServer, limitRate, shedOverload, stopGracefully } from '@milepost/http';
import type { OperationContext } from '@milepost/operations/operation';
import { OPERATIONS } from '@milepost/operations/operations';
import { type Pool, ROLES, type Role } from '@milepost/postgres';
import type { Logger } from '@milepost/service';
import type { FastifyInstance } from 'fastify';
import { streamStatus } from './events/events-route.ts';
import { addRoute } from './operation-route.ts';
import { keepAuditTrail } from './plugins/audit-trail.ts';
import { authenticateOperators } from './plugins/authentication.ts';
import { reportProgress } from './plugins/health.ts';
import { acceptJson } from './plugins/json.ts';
import { reportMetrics } from './plugins/metrics.ts';
import { documentOperations } from './plugins/openapi.ts';
import { serveOperate } from './plugins/operate.ts';
import { PROBLEMS } from './problems.ts';

const CONNECTIONS = { connections: 500, strangers: 400 };
const REQUESTS_UNDER_WAY = 50;
/** Fewer than connections, so that the status is always answered. */
const HEAVY_REQUESTS_UNDER_WAY = 3;
const REQUESTS_PER_MINUTE = 600;
const STREAMS_PER_MINUTE = 120;
const BODY_LIMIT_BYTES = 256 * 1024;

/** The caller ends the pools, after the server is closed. */
interface OpsOptions extends Pick<OperationContext, 'enqueue' | 'askEndOffsets'> {
  /** In the role `milepost_operator`. */
  pool: Pool;
  /** In the role `milepost_ingest`: dead letters that are tried again are stored as records are. */
  ingestPool: Pool;
  /** In the role `milepost_eraser`. */
  eraserPool: Pool;
  logger: Logger;
  /** Gets a line per request; undefined: requests are not logged. */
  requestLogger?: Logger | undefined;
  /** Undefined: everything but health, metrics and the reference is refused. */
  token: string | undefined;
  /** A stored event that waits for longer to be applied turns readiness red. */
  maximumLagSeconds: number;
  /** Of one address. */
  requestsPerMinute?: number;
  /** From one status to the next for those who follow it. */
  statusIntervalMilliseconds?: number;
}

type RouteContext = Parameters<typeof addRoute>[2];

function contextOf({ pool, ingestPool, eraserPool, enqueue, askEndOffsets }: OpsOptions): RouteContext {
  const pools = new Map<Role, Pool>([
    [ROLES.operator, pool],
    [ROLES.ingest, ingestPool],
    [ROLES.eraser, eraserPool],
  ]);
  const poolAs = (role: Role) => {
    const found = pools.get(role);
    if (!found) throw new Error(`No operation acts in the role ${role}.`);
    return found;
  };
  return { pool: poolAs, enqueue, askEndOffsets };
}

/** What needs the token. Checks run in this order: overload, rate, token, the operator's name, the input. */
async function addOperations(
  app: FastifyInstance,
  options: OpsOptions,
  knowCallers: (scope: FastifyInstance) => void,
): Promise<void> {
  const { logger, token, requestsPerMinute = REQUESTS_PER_MINUTE } = options;
  shedOverload(app, { atOnce: REQUESTS_UNDER_WAY });
  keepAuditTrail(app, options.pool, logger);
  await limitRate(app, requestsPerMinute);
  await authenticateOperators(app, token);
  knowCallers(app);
  const context = contextOf(options);
  for (const operation of OPERATIONS.filter(({ heavy }) => !heavy)) addRoute(app, operation, context);
  await app.register(async (scope) => {
    shedOverload(scope, { atOnce: HEAVY_REQUESTS_UNDER_WAY });
    for (const operation of OPERATIONS.filter(({ heavy }) => heavy)) addRoute(scope, operation, context);
  });
}

/** Apart from the operations: a stream has no end, and would keep its turn for good. */
async function addEvents(
  app: FastifyInstance,
  options: OpsOptions,
  knowCallers: (scope: FastifyInstance) => void,
): Promise<void> {
  await limitRate(app, STREAMS_PER_MINUTE);
  await authenticateOperators(app, options.token);
  knowCallers(app);
  streamStatus(app, contextOf(options), options.logger, options.statusIntervalMilliseconds);
}

/** Builds the operators' HTTP API, ready to listen. */
export async function buildOps(options: OpsOptions): Promise<FastifyInstance> {
  const { app, knowCallers, refuseOtherMethods } = createServer({
    problems: PROBLEMS,
    logger: options.logger,
    requestLog: options.requestLogger && { logger: options.requestLogger },
    connections: CONNECTIONS,
    bodyLimit: BODY_LIMIT_BYTES,
  });
  // Path, query string and body are one input, which operation-input.ts checks as a whole, so that all faults are told.
  app.setValidatorCompiler(() => () => true);
  acceptJson(app);
  await documentOperations(app);
  reportProgress(app, options.pool, {
    maximumLagSeconds: options.maximumLagSeconds,
    expectsIngest: options.askEndOffsets !== null,
  });
  reportMetrics(app, options.pool, options.logger);
  await serveOperate(app, options.logger);
  await app.register(async (scope) => await addOperations(scope, options, knowCallers));
  await app.register(async (scope) => await addEvents(scope, options, knowCallers));
  stopGracefully(app);
  refuseOtherMethods();
  await app.ready();
  return app;
}
