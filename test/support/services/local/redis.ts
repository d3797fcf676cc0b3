import { removeDirectory, temporaryDirectory } from '../directory.ts';
import { freePorts } from '../free-port.ts';
import type { Started } from '../services.ts';
import { startServerProcess } from './process.ts';

/** Starts this machine's `redis-server` without persistence. */
export async function startLocalRedis(): Promise<Started<string>> {
  const [port] = await freePorts(1);
  const directory = await temporaryDirectory('redis');
  const parameters = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  try {
    const server = await startServerProcess('redis-server', parameters, /Ready to accept connections/, directory);
    return {
      address: `redis://127.0.0.1:${port}`,
      stop: async () => {
        await server.stop();
        await removeDirectory(directory);
      },
    };
  } catch (error) {
    await removeDirectory(directory);
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Error(
        'redis-server is not on PATH: install Redis 7 (Debian: redis-server, macOS: brew install redis) or start a Docker engine.',
      );
    }
    throw error;
  }
}
