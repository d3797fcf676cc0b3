import { messageOf } from '@milepost/service';
import { Redis } from 'ioredis';
import { type Finding, judge } from './check.ts';

const TIMEOUT_MILLISECONDS = 5_000;
/** BullMQ needs this version (https://docs.bullmq.io/guide/redis-tm-compatibility). */
const MIN_MAJOR_VERSION = 6;

function field(information: string, name: string): string {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(information)?.[1] ?? 'unknown';
}

/** The queue loses jobs when Redis evicts keys. */
function checksOf(information: string): Finding[] {
  const version = field(information, 'redis_version');
  const role = field(information, 'role');
  const policy = field(information, 'maxmemory_policy');
  return [
    judge(
      'version',
      Number.parseInt(version, 10) >= MIN_MAJOR_VERSION,
      `The server is Redis ${version}.`,
      `The server is Redis ${version}, but the queue needs ${MIN_MAJOR_VERSION} or later.`,
    ),
    judge(
      'role',
      role === 'master',
      'The server accepts writes.',
      `The server is a ${role}, which refuses writes: set REDIS_URL to the primary.`,
    ),
    judge(
      'eviction',
      policy === 'noeviction',
      'The server evicts no keys.',
      `The server evicts keys (maxmemory-policy ${policy}), so the queue may lose jobs: set maxmemory-policy to noeviction.`,
      'warning',
    ),
  ];
}

/** Connects to Redis, and checks that it meets the needs of the rate limit and the queue. */
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
    return checksOf(await redis.info());
  } catch (error) {
    const message = `Redis cannot be used: ${messageOf(cause ?? error)}. Check REDIS_URL.`;
    return [{ check: 'connection', result: 'failed', message }];
  } finally {
    redis.disconnect();
  }
}
