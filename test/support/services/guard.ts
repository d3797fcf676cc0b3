import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Runs `command` when this process ends without having called the returned function, even if SIGKILL ends it. The guard
 * notices the end because its standard input closes. Therefore, no server survives a killed test run.
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
