import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Starts a script in this folder that serves HTTP and prints its port. Disposing of it ends the process. */
export async function startPeer(script: string, ...parameters: string[]): Promise<AsyncDisposable & { base: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  return {
    base: `http://127.0.0.1:${String(port).trim()}`,
    [Symbol.asyncDispose]: async () => void child.kill(),
  };
}
