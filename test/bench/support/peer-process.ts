import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

interface PeerProcess {
  base: string;
  process: ChildProcess;
}

/** Starts a script in this folder that serves HTTP and prints its port. The caller must kill it. */
export async function startPeer(script: string, ...parameters: string[]): Promise<PeerProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  return { base: `http://127.0.0.1:${String(port).trim()}`, process: child };
}
