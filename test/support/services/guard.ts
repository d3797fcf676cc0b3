import { spawn } from 'node:child_process';

/**
 * Runs `command` if this process ends, even by SIGKILL, without having called the returned function. The guard notices
 * this because its standard input closes. So no server survives a killed test run.
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
