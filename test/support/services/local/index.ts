import { startEmbeddedPostgres } from '@milepost/embedded-postgres';
import { startInDirectory } from '../directory.ts';
import { POSTGRES_SETTINGS } from '../postgres-settings.ts';
import type { Provider, Started } from '../services.ts';
import { startLocalKafka } from './kafka.ts';
import { startLocalRedis } from './redis.ts';

export async function startLocalPostgres(): Promise<Started<string>> {
  return await startInDirectory('postgres', async (directory) => {
    const { url, stop } = await startEmbeddedPostgres({ directory, settings: POSTGRES_SETTINGS });
    return { address: url, stop };
  });
}

/** Provides the services as processes on this machine. Any service may be missing. */
export const local: Provider = {
  name: 'local',
  prepare: async () => {},
  postgres: startLocalPostgres,
  kafka: startLocalKafka,
  redis: startLocalRedis,
};
