import { spawn } from 'node:child_process';

/**
 * Runs `command` as soon as this process is gone without having called the returned function, even by SIGKILL: the
 * guard's standard input then ends. So a killed test run leaves no server behind.
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
