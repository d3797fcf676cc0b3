import { checkRequests, createServer, limitRate, shedOverload, stopGracefully } from '@milepost/http';
import type { Pool } from '@milepost/postgres';
import type { Logger } from '@milepost/service';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Redis } from 'ioredis';
import type { MapTiles } from './map-tiles.ts';
import { vocabulary } from './parameters.ts';
import { authenticate } from './plugins/authentication.ts';
import { compressAnswers } from './plugins/compression.ts';
import { serveExplore } from './plugins/explore.ts';
import { reportReadTables } from './plugins/health.ts';
import { documentReports } from './plugins/openapi.ts';
import { PROBLEMS, Problem } from './problems.ts';
import { driversRoute, summaryRoutes, tripDetailRoutes, tripsRoute } from './routes/index.ts';

const JSON_TYPE = /^application\/json[ \t]*(;|$)/i;

/**
 * Refuses requests whose Content-Type is not `application/json`, although none of them has a body: the interface requires
 * the header. Runs after the rate limit, so that refused requests count too.
 */
function requireJsonContentType(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    if (JSON_TYPE.test(request.headers['content-type'] ?? '')) return;
    throw new Problem('unsupported_media_type', 'The header Content-Type must be application/json.');
  });
}

const CONNECTIONS = { connections: 10_000, strangers: 8_000 };
/** The longest that a request is worked on, whatever the database does. */
const LONGEST_TURN_MILLISECONDS = 5_000;

interface ApiOptions {
  /** In the role `milepost_api`. The caller ends it, after the server is closed. */
  pool: Pool;
  logger: Logger;
  /** The time, in epoch milliseconds. */
  now: () => number;
  rateLimitPerMinute: number;
  requireContentType: boolean;
  /** Gets a line per request; undefined: requests are not logged. */
  requestLogger?: Logger | undefined;
  /** Shares the rate limit among replicas. */
  redis?: Redis;
  /** How long connections are still accepted when it closes. */
  shutdownDelaySeconds?: number;
  /** How long a request waits at most while others are worked on. */
  longestWaitMilliseconds?: number;
  longestTurnMilliseconds?: number;
  /** The base map of Explore; without one it draws paths alone. */
  mapTiles?: MapTiles | undefined;
}

/** The five endpoints. Their checks run in this order: overload, key, rate limit, Content-Type, parameters. */
async function reports(
  app: FastifyInstance,
  options: ApiOptions,
  knowCallers: (scope: FastifyInstance) => void,
): Promise<void> {
  const { pool, now, longestWaitMilliseconds, longestTurnMilliseconds = LONGEST_TURN_MILLISECONDS } = options;
  const context = { pool, now };
  // One connection is left to those who ask whether the API is ready.
  const atOnce = pool.options.max - 1;
  shedOverload(app, { atOnce, longestTurnMilliseconds, longestWaitMilliseconds });
  authenticate(app, pool);
  knowCallers(app);
  await limitRate(app, options.rateLimitPerMinute, {
    keyGenerator: (request) => request.fleetId,
    ...(options.redis ? { redis: options.redis } : {}),
  });
  if (options.requireContentType) requireJsonContentType(app);
  await compressAnswers(app);
  for (const route of [driversRoute, tripsRoute, tripDetailRoutes, summaryRoutes]) {
    await app.register(route, context);
  }
}

/** For the log of requests: only a valid key has a fleet. */
function fleetOf({ fleetId }: FastifyRequest): Record<string, string> {
  return fleetId ? { fleet_id: fleetId } : {};
}

/** Builds the HTTP API, ready to listen. */
export async function buildApi(options: ApiOptions): Promise<FastifyInstance> {
  const { logger, requestLogger } = options;
  const { app, knowCallers, refuseOtherMethods } = createServer({
    problems: PROBLEMS,
    logger,
    requestLog: requestLogger && { logger: requestLogger, about: fleetOf },
    connections: CONNECTIONS,
  });
  checkRequests(app, vocabulary(options.now));
  await documentReports(app, options.now);
  reportReadTables(app, options.pool, logger);
  await serveExplore(app, options.mapTiles, logger);
  await app.register(async (scope) => await reports(scope, options, knowCallers), { prefix: '/api/v1' });
  stopGracefully(app, options.shutdownDelaySeconds);
  refuseOtherMethods();
  await app.ready();
  return app;
}
