import { once } from 'node:events';
import { onTestFailed } from 'vitest';
import { run } from './command.ts';
import { milepost, type Settings, start } from './milepost.ts';

const STOP_MILLISECONDS = 20_000;

/** A Milepost process that runs alongside the test. */
export type RunningProcess = ReturnType<typeof startProcess>;

/** Starts a Milepost process. The caller must end it. */
export function startProcess(words: string[], settings: Settings) {
  const child = start(milepost(words), settings);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const exited = once(child, 'exit').then(() => child.exitCode);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return await exited;
  };
  return {
    child,
    /** The whole output so far. */
    output: () => output,
    /** Resolves with the exit code, or with null if a signal ended the process. */
    exited,
    /** Kills the process without a shutdown. */
    kill: async () => void (await end('SIGKILL')),
    /** Sends SIGTERM. Resolves with the exit code, or null if the process had to be killed. */
    stop: async () => {
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MILLISECONDS);
      return await end('SIGTERM').finally(() => clearTimeout(timer));
    },
  };
}

/** Prints the last output of a process. */
export function printOutput(name: string, { child, output }: RunningProcess): void {
  process.stderr.write(`\n--- milepost ${name} (${child.pid})\n${output().slice(-20_000)}\n`);
}

/** The processes of one test, all with the same settings. If the test fails, their output is printed. */
export class Processes {
  readonly settings: Settings;
  readonly #settingsOf: (words: readonly string[]) => Settings;
  readonly #running: RunningProcess[] = [];

  /** @param settingsOf returns the additional settings for the command with these words */
  constructor(settings: Settings, settingsOf: (words: readonly string[]) => Settings = () => ({})) {
    this.settings = settings;
    this.#settingsOf = settingsOf;
  }

  /** Runs a command until it exits and returns its output. Throws when the command fails. */
  async run(...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await run(words, { ...this.settings, ...this.#settingsOf(words) });
    if (code !== 0) throw new Error(`milepost ${words.join(' ')} exited with code ${code}: ${stderr}`);
    return stdout;
  }

  start(...words: string[]): RunningProcess {
    const running = startProcess(words, { ...this.settings, ...this.#settingsOf(words) });
    this.#running.push(running);
    onTestFailed(() => printOutput(words.join(' '), running));
    return running;
  }

  /** Kills all processes that are still running. */
  async end(): Promise<void> {
    await Promise.all(this.#running.map((running) => running.kill()));
  }
}
