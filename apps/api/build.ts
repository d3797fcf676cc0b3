import { EXPLORE_FOLDER } from '@milepost/console';
import { serveBundle } from '@milepost/http/bundle';
import { checkRequests } from '@milepost/http/check';
import { limitTime } from '@milepost/http/deadline';
import { shedOverload } from '@milepost/http/overload';
import { limitRate } from '@milepost/http/rate-limit';
import { createServer } from '@milepost/http/server';
import type { ApiMetrics } from '@milepost/metrics/api';
import type { Pool } from '@milepost/postgres';
import type { LanePools } from '@milepost/postgres/lanes';
import type { Standby } from '@milepost/postgres/standby';
import type { Logger } from '@milepost/service';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Redis } from 'ioredis';
import type { MapTiles } from './config.ts';
import { vocabulary } from './parameters.ts';
import { authenticate } from './plugins/authentication.ts';
import { compressAnswers } from './plugins/compression.ts';
import { allowOrigins } from './plugins/cors.ts';
import { reportReadiness } from './plugins/health.ts';
import { documentReports } from './plugins/openapi.ts';
import { PROBLEMS, Problem } from './problems.ts';
import { driversRoute, summaryRoutes, tripDetailRoutes, tripsRoute } from './routes/index.ts';
import { ServedLanes } from './served-lanes.ts';

const JSON_TYPE = /^application\/json[ \t]*(;|$)/i;

/**
 * Refuses requests whose Content-Type is not `application/json`, because the interface requires the header even though
 * no request has a body. The hook runs after the rate limit so that refused requests are counted too.
 */
function requireJsonContentType(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    if (JSON_TYPE.test(request.headers['content-type'] ?? '')) return;
    throw new Problem(
      'unsupported_media_type',
      'The Content-Type header must be application/json, even on a GET without a body; an operator can disable this rule with REQUIRE_CONTENT_TYPE=false.',
    );
  });
}

const CONNECTIONS = 10_000;
/** The timeout for a running request, which applies even when the database is not responding. */
const MAX_TURN_MILLISECONDS = 5_000;

interface ApiOptions {
  /**
   * The lanes' pools, whose connections use the role `milepost_api`. The caller ends all pools after the server has
   * closed.
   */
  lanes: LanePools;
  /** The standbys of the lanes' server. If undefined, the API always reads from the primary. */
  standby?: Standby | undefined;
  /** The directory's pool, with the same role. */
  directory: Pool;
  logger: Logger;
  /** Returns the time, in epoch milliseconds. */
  now: () => number;
  /** The requests per minute that a fleet may send, not counting requests with a key that has its own limit. */
  rateLimitPerMinute: number;
  requireContentType: boolean;
  /** Receives one line per request. If undefined, requests are not logged. */
  requestLogger?: Logger | undefined;
  /** Shares the rate limit among replicas. */
  redis?: Redis | undefined;
  /** How many seconds a closing server continues to accept connections. */
  shutdownDelaySeconds?: number;
  /** How long a request may wait for its turn. */
  maxWaitMilliseconds?: number;
  maxTurnMilliseconds?: number;
  /** The URL at which clients reach the server; empty when they use the same paths as the server. */
  publicUrl?: string;
  /** The origins whose pages may call the API; none by default. */
  corsOrigins?: readonly string[];
  /** If defined, counts requests. */
  metrics?: ApiMetrics | undefined;
  /** Explore's base map. Without it, Explore draws only paths. */
  mapTiles?: MapTiles | undefined;
}

/** Returns the name of the rate-limit window that counts a request. A key with its own limit has its own window. */
function rateLimited({ fleetId, apiKey }: FastifyRequest): string {
  return typeof apiKey?.rateLimitPerMinute === 'number' ? `${fleetId}/${apiKey.id}` : fleetId;
}

/** Adds the five endpoints. Their checks run in this order: overload, key, rate limit, Content-Type, parameters. */
async function reports(app: FastifyInstance, options: ApiOptions, lanes: ServedLanes): Promise<void> {
  const { directory, now, metrics, maxWaitMilliseconds } = options;
  const { maxTurnMilliseconds = MAX_TURN_MILLISECONDS } = options;
  // Reserve one connection for `/readyz`.
  const concurrency = options.lanes.first.options.max - 1;
  const admission = shedOverload(app, { concurrency, maxWaitMilliseconds });
  metrics?.readAdmission(admission);
  limitTime(app, maxTurnMilliseconds);
  authenticate(app, directory, lanes);
  app.trustAuthenticated();
  await limitRate(app, ({ apiKey }) => apiKey?.rateLimitPerMinute ?? options.rateLimitPerMinute, {
    keyGenerator: rateLimited,
    onExceeded: () => metrics?.rateLimited.inc(),
    redis: options.redis,
  });
  if (options.requireContentType) requireJsonContentType(app);
  await compressAnswers(app);
  for (const route of [driversRoute, tripsRoute, tripDetailRoutes, summaryRoutes]) {
    await app.register(route, { lanes, now });
  }
}

/** Returns the fleet for the request log. A request without a valid key has no fleet. */
function fleetOf({ fleetId }: FastifyRequest): Record<string, string> {
  return fleetId ? { fleet_id: fleetId } : {};
}

/** Builds the HTTP API, but does not start listening. */
export async function buildApi(options: ApiOptions): Promise<FastifyInstance> {
  const { logger, requestLogger, metrics, publicUrl = '', mapTiles: tiles } = options;
  const { app, complete } = createServer({
    problems: PROBLEMS,
    logger,
    requestLog: requestLogger && { logger: requestLogger, about: fleetOf },
    onAnswer: metrics && ((answered) => metrics.countAnswer(answered)),
    connections: CONNECTIONS,
    publicUrl,
  });
  await allowOrigins(app, options.corsOrigins ?? []);
  checkRequests(app, vocabulary(options.now));
  await documentReports(app, options.now, publicUrl);
  const lanes = new ServedLanes(options.lanes, options.standby, logger);
  reportReadiness(app, { lanes, directory: options.directory }, logger);
  const map = tiles && {
    settings: { 'map-tiles': tiles.address, 'map-tiles-attribution': tiles.attribution },
    imageOrigins: [new URL(tiles.address).origin],
  };
  await serveBundle(app, { name: 'Explore', folder: EXPLORE_FOLDER, path: '/explore', ...map }, logger);
  await app.register(async (scope) => await reports(scope, options, lanes), { prefix: '/api/v1' });
  complete(options.shutdownDelaySeconds);
  await app.ready();
  return app;
}
