import { startInDirectory } from '../services/directory.ts';
import { freePorts } from '../services/free-port.ts';
import { type KillableServer, startKillable } from '../services/local/process.ts';
import { startRedisServer } from '../services/local/redis.ts';

/** Starts a Redis server that belongs to one test. Its data is only in memory, so a kill loses it. */
export async function startKillableRedis(): Promise<KillableServer> {
  const [port = 0] = await freePorts(1);
  const server = await startInDirectory('killable-redis', (directory) =>
    startKillable(() => startRedisServer(port, directory)),
  );
  return { ...server, url: `redis://127.0.0.1:${port}` };
}
