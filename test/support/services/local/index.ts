import type { Provider } from '../services.ts';
import { startLocalKafka } from './kafka.ts';
import { startLocalPostgres } from './postgres.ts';
import { startLocalRedis } from './redis.ts';

/** Services as processes on this machine; any of them may be missing. */
export const local: Provider = {
  name: 'local',
  prepare: async () => {},
  postgres: startLocalPostgres,
  kafka: startLocalKafka,
  redis: startLocalRedis,
};
