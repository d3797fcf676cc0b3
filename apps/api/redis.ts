import type { Logger } from '@milepost/service';
import { Redis } from 'ioredis';

const COMMAND_TIMEOUT_MILLISECONDS = 250;
const CONNECT_TIMEOUT_MILLISECONDS = 2_000;
const MAX_RECONNECT_MILLISECONDS = 2_000;

/**
 * Connects to the Redis server through which replicas share their rate limits. A server that hangs delays a request by
 * at most a quarter of a second, and a disconnected server causes no delay. Each outage is logged only once.
 */
export function connectRedis(url: string, logger: Logger): Redis {
  const redis = new Redis(url, {
    commandTimeout: COMMAND_TIMEOUT_MILLISECONDS,
    connectTimeout: CONNECT_TIMEOUT_MILLISECONDS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, MAX_RECONNECT_MILLISECONDS),
  });
  let away = false;
  redis.on('error', (error: Error) => {
    if (!away) logger.warn({ error }, 'Redis cannot be reached. Rate limits are off until it can be reached again.');
    away = true;
  });
  redis.on('ready', () => {
    if (away) logger.info('Redis is back: rate limits are on again.');
    away = false;
  });
  return redis;
}
