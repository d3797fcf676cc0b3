import type { Provider } from '../services.ts';
import { startLocalKafka } from './kafka.ts';
import { startLocalPostgres } from './postgres.ts';
import { startLocalRedis } from './redis.ts';

/** Provides the services as processes on this machine. Any service may be missing. */
export const local: Provider = {
  name: 'local',
  prepare: async () => {},
  postgres: startLocalPostgres,
  kafka: startLocalKafka,
  redis: startLocalRedis,
};
