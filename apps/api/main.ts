import { locateDatabase } from '@milepost/embedded-postgres/locate';
import { listen } from '@milepost/http';
import { createPool, ROLES } from '@milepost/postgres';
import { aborted, createFrequentLogger, createLogger } from '@milepost/service';
import { buildApi } from './build.ts';
import { readConfig } from './config.ts';
import { connectRedis } from './redis.ts';

/** One more than requests are worked on at once. */
const CONNECTIONS = 11;
const KEPT_CONNECTIONS = 4;
/** Together as long as a request is worked on: a connection on which nothing comes is given up with the request. */
const STATEMENT_TIMEOUT_MILLISECONDS = 4_000;
const SILENCE_MILLISECONDS = 1_000;

/**
 * Serves the HTTP API until the signal aborts, then answers what is under way and resolves. Throws one clear sentence when
 * a setting is wrong, there is no database, or the port cannot be opened.
 */
export async function runApi(signal: AbortSignal): Promise<void> {
  const config = readConfig();
  const logger = createLogger('api', config.logLevel);
  const pool = createPool({
    url: await locateDatabase(config, 'api'),
    role: ROLES.api,
    applicationName: 'milepost-api',
    connections: CONNECTIONS,
    keptConnections: KEPT_CONNECTIONS,
    statementTimeoutMilliseconds: STATEMENT_TIMEOUT_MILLISECONDS,
    silenceMilliseconds: SILENCE_MILLISECONDS,
  });
  const redis = config.redisUrl === undefined ? undefined : connectRedis(config.redisUrl, logger);
  const { rateLimitPerMinute, requireContentType, shutdownDelaySeconds, mapTiles } = config;
  const app = await buildApi({
    pool,
    logger,
    requestLogger: config.requestLog ? createFrequentLogger('api', config.logLevel) : undefined,
    now: Date.now,
    rateLimitPerMinute,
    requireContentType,
    shutdownDelaySeconds,
    mapTiles,
    ...(redis ? { redis } : {}),
  });
  try {
    const address = await listen(app, config.host, config.port, 'PORT');
    logger.info({ address }, `The API answers at ${address}; its reference is at ${address}/docs.`);
    await aborted(signal);
    logger.info('The API is stopping.');
  } finally {
    await app.close();
    redis?.disconnect();
    await pool.end();
  }
}
