import { startInDirectory } from '../directory.ts';
import { freePorts } from '../free-port.ts';
import type { Started } from '../services.ts';
import { type ServerProcess, startServerProcess } from './process.ts';

/** Starts this machine's `redis-server` without persistence. */
export async function startRedisServer(port: number, directory: string): Promise<ServerProcess> {
  const parameters = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  return await startServerProcess('redis-server', parameters, /Ready to accept connections/, directory);
}

/** Starts Redis on a free port. */
export async function startLocalRedis(): Promise<Started<string>> {
  const [port = 0] = await freePorts(1);
  try {
    const { stop } = await startInDirectory('redis', async (directory) => await startRedisServer(port, directory));
    return { address: `redis://127.0.0.1:${port}`, stop };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Error(
        'redis-server is not on PATH: install Redis 7 (Debian: redis-server, macOS: brew install redis) or start a Docker engine.',
      );
    }
    throw error;
  }
}
