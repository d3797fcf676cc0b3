import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { guardProcess } from '../guard.ts';

const READY_TIMEOUT_MILLISECONDS = 180_000;
const STOP_TIMEOUT_MILLISECONDS = 10_000;

export interface ServerProcess {
  /** The process's first id. A restarted server has another one. */
  pid: number | undefined;
  signal: (name: NodeJS.Signals) => void;
  stop: () => Promise<void>;
}

/** A server that a test can kill. */
interface Killable {
  /** Sends SIGKILL. The server's directory remains. */
  kill: () => Promise<void>;
  /** Starts a killed server again in its directory and on the same port. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts a process that a test can kill. */
export async function startKillable(start: () => Promise<ServerProcess>): Promise<ServerProcess & Killable> {
  let process = await start();
  return {
    pid: process.pid,
    signal: (name) => process.signal(name),
    kill: async () => {
      process.signal('SIGKILL');
      await process.stop();
    },
    restart: async () => {
      process = await start();
    },
    stop: async () => await process.stop(),
  };
}

/**
 * Starts a server in its own process group, so that Ctrl-C does not end it before the tests have ended. Waits until a
 * line of its output matches `ready`. If the server exits or does not print such a line in time, rejects with the last
 * line.
 */
export async function startServerProcess(
  program: string,
  parameters: string[],
  ready: RegExp,
  directory: string,
): Promise<ServerProcess> {
  const child = spawn(program, parameters, { detached: true, cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] });
  await once(child, 'spawn');
  guardProcess(child);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MILLISECONDS);
    child.kill('SIGTERM');
    await exited;
    clearTimeout(timer);
  };
  let lastLine = 'no output';
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = () => reject(new Error(`${program} did not become ready: ${lastLine}`));
      timer = setTimeout(fail, READY_TIMEOUT_MILLISECONDS);
      child.once('close', fail);
      for (const stream of [child.stdout, child.stderr]) {
        createInterface(stream).on('line', (line) => {
          lastLine = line;
          if (ready.test(line)) resolve();
        });
      }
    });
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  return { pid: child.pid, signal: (name) => void child.kill(name), stop };
}
