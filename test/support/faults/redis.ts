import { startInDirectory } from '../services/directory.ts';
import { freePorts } from '../services/free-port.ts';
import { startRedisServer } from '../services/local/redis.ts';

/** A Redis server that belongs to one test, so the test can kill it. A kill loses its data, which is only in memory. */
export interface KillableRedis {
  url: string;
  kill: () => Promise<void>;
  /** Starts the server again on the same port, without data. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
}

export async function startKillableRedis(): Promise<KillableRedis> {
  const [port = 0] = await freePorts(1);
  return await startInDirectory('killable-redis', async (directory) => {
    let server = await startRedisServer(port, directory);
    const kill = async () => {
      server.signal('SIGKILL');
      await server.stop();
    };
    const restart = async () => {
      server = await startRedisServer(port, directory);
    };
    return { url: `redis://127.0.0.1:${port}`, kill, restart, stop: kill };
  });
}
