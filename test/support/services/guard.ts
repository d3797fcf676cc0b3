import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Returns a function that this process calls before it ends. If the process ends, even by SIGKILL, without having
 * called it, the guard runs `command`. The guard notices the end because its standard input closes. No server therefore
 * survives a killed test run.
 */
export function guard(command: [string, ...string[]]): () => void {
  const child = spawn('sh', ['-c', 'read -r line || "$@"', 'guard', ...command], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  return () => {
    child.stdin.end('released\n');
  };
}

/** Kills a child process if this process ends first. If the child leads a process group, the whole group is killed. */
export function guardProcess(child: ChildProcess): void {
  if (child.pid === undefined) return;
  child.once('exit', guard(['sh', '-c', 'kill -9 "-$1" || kill -9 "$1"', 'guard', String(child.pid)]));
}
