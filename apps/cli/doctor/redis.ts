import { messageOf } from '@milepost/service';
import { Redis } from 'ioredis';
import type { Finding } from './check.ts';

const TIMEOUT_MILLISECONDS = 5_000;
/** BullMQ needs this version (https://docs.bullmq.io/guide/redis-tm-compatibility). */
const MIN_MAJOR_VERSION = 6;

function field(information: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(information)?.[1];
}

function checkVersion(information: string): Finding {
  const version = field(information, 'redis_version') ?? 'unknown';
  return Number.parseInt(version, 10) >= MIN_MAJOR_VERSION
    ? { check: 'version', result: 'passed', message: `The server is Redis ${version}.` }
    : {
        check: 'version',
        result: 'failed',
        message: `The server is Redis ${version}, but the queue needs ${MIN_MAJOR_VERSION} or later.`,
      };
}

function checkRole(information: string): Finding {
  const role = field(information, 'role') ?? 'unknown';
  return role === 'master'
    ? { check: 'role', result: 'passed', message: 'The server accepts writes.' }
    : {
        check: 'role',
        result: 'failed',
        message: `The server is a ${role}, which refuses writes: set REDIS_URL to the primary.`,
      };
}

/** The queue loses jobs when Redis evicts keys. */
function checkEviction(information: string): Finding {
  const policy = field(information, 'maxmemory_policy') ?? 'unknown';
  return policy === 'noeviction'
    ? { check: 'eviction', result: 'passed', message: 'The server evicts no keys.' }
    : {
        check: 'eviction',
        result: 'warning',
        message: `The server evicts keys (maxmemory-policy ${policy}), and the queue may lose jobs: set maxmemory-policy to noeviction.`,
      };
}

/** Connects to Redis, and checks what the rate limit and the queue need. */
export async function checkRedis(url: string): Promise<Finding[]> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MILLISECONDS,
    commandTimeout: TIMEOUT_MILLISECONDS,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  let cause: unknown;
  redis.on('error', (error) => {
    cause = error;
  });
  try {
    await redis.connect();
    const information = await redis.info();
    return [checkVersion(information), checkRole(information), checkEviction(information)];
  } catch (error) {
    const message = `Redis cannot be used: ${messageOf(cause ?? error)}. Check REDIS_URL.`;
    return [{ check: 'connection', result: 'failed', message }];
  } finally {
    redis.disconnect();
  }
}
