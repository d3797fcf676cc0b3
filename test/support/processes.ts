import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { onTestFailed } from 'vitest';
import { run } from './command.ts';
import { milepost, type Settings, start } from './milepost.ts';

const STOP_MILLISECONDS = 20_000;

/** A Milepost process that runs alongside the test. */
export interface RunningProcess {
  child: ChildProcess;
  /** The whole output so far. */
  output: () => string;
  /** Sends SIGTERM. Resolves with the exit code, or null when the process had to be killed. */
  stop: () => Promise<number | null>;
  /** Kills the process without a shutdown. */
  kill: () => Promise<void>;
}

/** The processes of one test, which all have the same settings. If the test fails, their output is printed. */
export class Processes {
  readonly settings: Settings;
  readonly #settingsOf: (words: readonly string[]) => Settings;
  readonly #running: RunningProcess[] = [];

  /** @param settingsOf returns the additional settings of the command with these words */
  constructor(settings: Settings, settingsOf: (words: readonly string[]) => Settings = () => ({})) {
    this.settings = settings;
    this.#settingsOf = settingsOf;
  }

  /** Runs a command until it exits and returns its output. Throws when the command fails. */
  async run(...words: string[]): Promise<string> {
    const { code, stdout, stderr } = await run(words, { ...this.settings, ...this.#settingsOf(words) });
    if (code !== 0) throw new Error(`milepost ${words.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  }

  start(...words: string[]): RunningProcess {
    const child = start(milepost(words), { ...this.settings, ...this.#settingsOf(words) });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    }
    const exited = once(child, 'exit');
    const end = async (signal: NodeJS.Signals) => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await exited;
    };
    const running: RunningProcess = {
      child,
      output: () => output,
      kill: async () => await end('SIGKILL'),
      stop: async () => {
        const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MILLISECONDS);
        await end('SIGTERM').finally(() => clearTimeout(timer));
        return child.exitCode;
      },
    };
    this.#running.push(running);
    onTestFailed(() => {
      process.stderr.write(`\n--- milepost ${words.join(' ')} (${child.pid})\n${output.slice(-20_000)}\n`);
    });
    return running;
  }

  /** Kills all processes that are still running. */
  async end(): Promise<void> {
    await Promise.all(this.#running.map((running) => running.kill()));
  }
}
