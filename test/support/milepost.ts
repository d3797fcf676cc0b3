import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { guardProcess } from './services/guard.ts';

export const ROOT = join(import.meta.dirname, '../..');
const MAIN = join(ROOT, 'apps/cli/main.ts');

/** The settings on the machine that runs the tests must not reach the processes under test. */
const OWN_SETTINGS =
  /^(DATABASE_URL.*|MILEPOST_HOME|PORT|HOST|METRICS_PORT|SAMPLE_FLEET|LOG_LEVEL|REDIS_URL|OPS_.*|RATE_LIMIT.*|REQUEST_LOG|SHUTDOWN_.*|KAFKA_.*|OTEL_.*|npm_.*)$/;

export type Settings = Record<string, string>;

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Returns the environment for a command: this process's environment without its Milepost settings, plus `settings`. */
export function environment(settings: Settings): Settings {
  const own: Settings = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !OWN_SETTINGS.test(name)) own[name] = value;
  }
  return { ...own, ...settings };
}

/**
 * Starts a program in its own process group, as a terminal does. The program ends when this process ends, if not
 * earlier.
 */
export function start(command: [string, ...string[]], settings: Settings): ChildProcess {
  const [program, ...parameters] = command;
  const child = spawn(program, parameters, {
    cwd: ROOT,
    env: environment(settings),
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  guardProcess(child);
  return child;
}

/** Resolves when a program exits, with its output and exit code. */
export async function ended(child: ChildProcess): Promise<Ended> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('The program has no pipe for its output.');
  const closed = once(child, 'close');
  const [out, errors] = await Promise.all([text(stdout), text(stderr), closed]);
  return { code: child.exitCode, stdout: out, stderr: errors };
}

/** The command line that runs `milepost` with these words. */
export function milepost(words: string[]): [string, ...string[]] {
  return [process.execPath, MAIN, ...words];
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Runs `milepost` on a terminal until it exits. Types `answer` when the output contains `question`. */
export async function runOnTerminal(
  words: string[],
  settings: Settings,
  { question, answer }: { question: string; answer: string },
): Promise<{ code: number | null; output: string }> {
  const command = milepost(words).map(shellQuoted).join(' ');
  const child = start(['script', '--quiet', '--return', '--command', command, '/dev/null'], settings);
  child.stdin?.on('error', () => {});
  let output = '';
  let isAnswered = false;
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    output += part;
    if (isAnswered || !output.includes(question)) return;
    isAnswered = true;
    child.stdin?.write(`${answer}\r`);
  });
  await once(child, 'close');
  return { code: child.exitCode, output };
}

/** Throws an error with the program's output if the program did not succeed. */
export function expectSuccess({ code, ...output }: Ended): void {
  if (code !== 0) throw new Error(`The program exited with code ${code}: ${JSON.stringify(output)}`);
}
