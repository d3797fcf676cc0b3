import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePorts } from '../services/free-port.ts';
import { guardProcess } from '../services/guard.ts';

/** A Redis server that belongs to one test, so the test may kill it. It keeps data only in memory and then loses it. */
export interface KillableRedis {
  url: string;
  kill: () => Promise<void>;
  /** Starts the server again on the same port, without data. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
}

async function startServer(port: number): Promise<ChildProcess> {
  const parameters = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', parameters, { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child, 'spawn');
  guardProcess(child);
  for await (const line of createInterface(child.stdout)) if (/Ready to accept connections/.test(line)) break;
  child.stdout.resume();
  return child;
}

export async function startKillableRedis(): Promise<KillableRedis> {
  const [port = 0] = await freePorts(1);
  let child = await startServer(port);
  const kill = async () => {
    if (child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    restart: async () => {
      child = await startServer(port);
    },
    stop: kill,
  };
}
