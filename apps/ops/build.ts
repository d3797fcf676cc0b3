import { OPERATE_FOLDER } from '@milepost/console';
import { serveBundle } from '@milepost/http/bundle';
import { limitTime } from '@milepost/http/deadline';
import { shedOverload } from '@milepost/http/overload';
import { limitRate } from '@milepost/http/rate-limit';
import { createServer } from '@milepost/http/server';
import { OPERATIONS } from '@milepost/operations/operations';
import type { OperationServices } from '@milepost/operations/run';
import type { Logger } from '@milepost/service';
import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { streamStatus } from './events/events-route.ts';
import { reportMetrics } from './metrics/scrape.ts';
import { compileInput } from './operation-input.ts';
import { addRoutes } from './operation-route.ts';
import { keepAuditTrail } from './plugins/audit-trail.ts';
import { authenticateOperators } from './plugins/authentication.ts';
import { reportProgress } from './plugins/health.ts';
import { acceptJson } from './plugins/json.ts';
import { documentOperations } from './plugins/openapi.ts';
import { PROBLEMS } from './problems.ts';
import { streamRecords } from './record-route.ts';

const CONNECTIONS = 500;
const MAX_RUNNING_REQUESTS = 50;
/** The maximum is below the number of connections, so that status requests always find a free connection. */
const MAX_RUNNING_HEAVY_REQUESTS = 3;
/** The timeout for a read-only request. Statements in heavy requests may take 10 s. */
const MAX_READING_MILLISECONDS = 5_000;
const MAX_HEAVY_READING_MILLISECONDS = 12_000;
const REQUESTS_PER_MINUTE = 600;
const STREAMS_PER_MINUTE = 120;
const BODY_LIMIT_BYTES = 256 * 1024;

/** The caller ends the pools after the server has closed. */
interface OpsOptions extends OperationServices {
  logger: Logger;
  /** Receives one line per request. If undefined, requests are not logged. */
  requestLogger?: Logger | undefined;
  /** The operators' token. If undefined, only requests for health, metrics and the reference are accepted. */
  token: string | undefined;
  /** The maximum age of an unapplied stored event. If a stored event waits longer, the process is not ready. */
  maximumLagSeconds: number;
  /** The metrics of this process, which are served at `/metrics` together with those of the database. */
  metrics?: Registry;
  /** The rate limit for each client address. */
  requestsPerMinute?: number;
  /** The URL at which clients reach the server; empty when they use the same paths as the server. */
  publicUrl?: string;
  /** The interval at which the `/events` stream sends the status. */
  statusIntervalMilliseconds?: number;
}

/**
 * Adds the routes that need the token. A request is checked in this order: overload, rate, token, operator's name,
 * input.
 */
async function addOperations(app: FastifyInstance, options: OpsOptions): Promise<void> {
  const { logger, token, requestsPerMinute = REQUESTS_PER_MINUTE } = options;
  shedOverload(app, { concurrency: MAX_RUNNING_REQUESTS });
  keepAuditTrail(app, options.directory, logger);
  await limitRate(app, requestsPerMinute);
  await authenticateOperators(app, token);
  app.trustAuthenticated();
  // A download of hundreds of megabytes takes longer than the request timeout.
  streamRecords(app, options);
  const groups = Map.groupBy(OPERATIONS, ({ heavy = false }) => heavy);
  for (const [heavy, operations] of groups) {
    await app.register(async (scope) => {
      if (heavy) shedOverload(scope, { concurrency: MAX_RUNNING_HEAVY_REQUESTS });
      limitTime(scope, heavy ? MAX_HEAVY_READING_MILLISECONDS : MAX_READING_MILLISECONDS);
      for (const operation of operations) addRoutes(scope, operation, options);
    });
  }
}

/**
 * Adds the status stream outside the scope of the operations, because every open stream would count towards the
 * operations' limit on running requests.
 */
async function addEvents(app: FastifyInstance, options: OpsOptions): Promise<void> {
  await limitRate(app, STREAMS_PER_MINUTE);
  await authenticateOperators(app, options.token);
  app.trustAuthenticated();
  streamStatus(app, options, options.logger, options.statusIntervalMilliseconds);
}

/** Builds the operators' HTTP API with Operate, the pages for operators, but does not start listening. */
export async function buildOps(options: OpsOptions): Promise<FastifyInstance> {
  const { publicUrl = '' } = options;
  const { app, complete } = createServer({
    problems: PROBLEMS,
    logger: options.logger,
    requestLog: options.requestLogger && { logger: options.requestLogger },
    connections: CONNECTIONS,
    bodyLimit: BODY_LIMIT_BYTES,
    publicUrl,
  });
  app.setValidatorCompiler(compileInput);
  acceptJson(app);
  await documentOperations(app, publicUrl);
  reportProgress(app, options.pools, {
    maximumLagSeconds: options.maximumLagSeconds,
    expectsIngest: options.askEndOffsets !== null,
  });
  reportMetrics(app, options.pools, options.metrics ?? new Registry(), options.logger);
  await serveBundle(app, { name: 'Operate', folder: OPERATE_FOLDER, path: '' }, options.logger);
  await app.register(async (scope) => await addOperations(scope, options));
  await app.register(async (scope) => await addEvents(scope, options));
  complete();
  await app.ready();
  return app;
}
