import { startInDirectory } from '../directory.ts';
import { freePorts } from '../free-port.ts';
import { startKillable, startServerProcess } from './process.ts';

/** Starts this machine's Redis on a free port. Its data is only in memory, so a kill loses it. */
export async function startLocalRedis() {
  const [port = 0] = await freePorts(1);
  const parameters = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const start = async (directory: string) =>
    await startKillable(() => startServerProcess('redis-server', parameters, /Ready to accept connections/, directory));
  try {
    return { ...(await startInDirectory('redis', start)), address: `redis://127.0.0.1:${port}` };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Error(
        'redis-server is not on PATH: install Redis 7 (Debian: redis-server, macOS: brew install redis) or start a Docker engine.',
      );
    }
    throw error;
  }
}
