import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** The operating-system account that PostgreSQL runs as. */
export interface Account {
  uid: number;
  gid: number;
}

interface CommandOptions {
  /** If null, this process's own account. */
  account?: Account | null;
  /** The working directory, which the account must be allowed to enter. */
  directory?: string;
  environment?: Record<string, string>;
  input?: string | undefined;
}

export interface CommandResult {
  /** Null if a signal ended the program. */
  code: number | null;
  output: string;
}

/** Runs a program to completion. `output` is its stderr followed by its stdout. Rejects only if it fails to start. */
export async function run(program: string, parameters: string[], options: CommandOptions = {}): Promise<CommandResult> {
  const child = spawn(program, parameters, {
    stdio: 'pipe',
    ...options.account,
    cwd: options.directory,
    env: options.environment,
  });
  // If a program ends before it has read its input, the write fails with EPIPE. The error is ignored, because the exit
  // code reports the cause.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const [stderr, stdout] = await Promise.all([text(child.stderr), text(child.stdout), once(child, 'close')]);
  return { code: child.exitCode, output: `${stderr}${stdout}`.trim() };
}
