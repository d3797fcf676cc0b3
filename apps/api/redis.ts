import type { Logger } from '@milepost/service';
import { Redis } from 'ioredis';

const COMMAND_TIMEOUT_MILLISECONDS = 250;
const CONNECT_TIMEOUT_MILLISECONDS = 2_000;
const LONGEST_RECONNECT_MILLISECONDS = 2_000;

/**
 * Connects to the Redis that replicas share their rate limits through. A Redis that is away costs a request at most a
 * quarter of a second while it hangs, and nothing while it is known to be away; it is told once per outage.
 */
export function connectRedis(url: string, logger: Logger): Redis {
  const redis = new Redis(url, {
    commandTimeout: COMMAND_TIMEOUT_MILLISECONDS,
    connectTimeout: CONNECT_TIMEOUT_MILLISECONDS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, LONGEST_RECONNECT_MILLISECONDS),
  });
  let away = false;
  redis.on('error', (error: Error) => {
    if (!away) logger.warn({ error }, 'Redis cannot be reached: rate limits are off until it can.');
    away = true;
  });
  redis.on('ready', () => {
    if (away) logger.info('Redis is back: rate limits are on again.');
    away = false;
  });
  return redis;
}
