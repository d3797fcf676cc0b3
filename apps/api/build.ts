import {
  answerProblems,
  checkRequests,
  limitConnections,
  serverOptions,
  shedOverload,
  stopGracefully,
} from '@milepost/http';
import type { Pool } from '@milepost/postgres';
import type { Logger } from '@milepost/service';
import fastify, { type FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import { createKeyLookup } from './access.ts';
import { vocabulary } from './parameters.ts';
import { authenticate } from './plugins/authentication.ts';
import { compressAnswers } from './plugins/compression.ts';
import { requireJsonContentType } from './plugins/content-type.ts';
import { reportReadTables } from './plugins/health.ts';
import { documentReports } from './plugins/openapi.ts';
import { refuseOtherMethods } from './plugins/other-methods.ts';
import { limitRate } from './plugins/rate-limit.ts';
import { PROBLEMS } from './problems/codes.ts';
import { dailySummaryRoute, driversRoute, tripDetailRoutes, tripsRoute, weeklySummaryRoute } from './routes/index.ts';

const CONNECTIONS = { connections: 10_000, strangers: 8_000 };
/** The longest that a request is worked on, whatever the database does. */
const LONGEST_TURN_MILLISECONDS = 5_000;

export interface ApiOptions {
  /** In the role `milepost_api`. The caller ends it, after the server is closed. */
  pool: Pool;
  logger: Logger;
  /** The time, in epoch milliseconds. */
  now: () => number;
  rateLimitPerMinute: number;
  requireContentType: boolean;
  /** Shares the rate limit among replicas. */
  redis?: Redis;
  /** How long connections are still accepted when it closes. */
  shutdownDelaySeconds?: number;
  /** How long a request waits at most while others are worked on. */
  longestWaitMilliseconds?: number;
  longestTurnMilliseconds?: number;
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
  authenticate(app, createKeyLookup(pool));
  knowCallers(app);
  await limitRate(app, options.rateLimitPerMinute, options.redis);
  if (options.requireContentType) requireJsonContentType(app);
  await compressAnswers(app);
  for (const route of [driversRoute, tripsRoute, tripDetailRoutes, dailySummaryRoute, weeklySummaryRoute]) {
    await app.register(route, context);
  }
}

/** Builds the HTTP API, ready to listen. */
export async function buildApi(options: ApiOptions): Promise<FastifyInstance> {
  const app = fastify(serverOptions);
  const knowCallers = limitConnections(app, CONNECTIONS);
  checkRequests(app, vocabulary(options.now));
  // Answers are finished texts.
  app.setSerializerCompiler(() => JSON.stringify);
  answerProblems(app, PROBLEMS, options.logger);
  refuseOtherMethods(app);
  await documentReports(app);
  reportReadTables(app, options.pool, options.logger);
  // After health, which has to say that the server stops before the last requests are waited for.
  stopGracefully(app, options.shutdownDelaySeconds);
  await app.register(async (scope) => await reports(scope, options, knowCallers), { prefix: '/api/v1' });
  await app.ready();
  return app;
}
