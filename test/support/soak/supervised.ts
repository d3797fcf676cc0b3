import { setTimeout as delay } from 'node:timers/promises';
import { type KillableProcess, startKillableProcess } from '../faults/process.ts';
import type { Settings } from '../milepost.ts';

/** After this time, the supervisor starts a process again. */
const RESTART_MILLISECONDS = 100;

/** A Milepost process that is restarted whenever it ends, as under a supervisor. */
export class Supervised {
  readonly name: string;
  /** The exit code and last output of each exit that was not caused by a kill. */
  readonly ownEnds: { code: number | null; output: string }[] = [];
  restarts = 0;
  readonly #start: () => KillableProcess;
  #process: KillableProcess;
  #isKilled = false;
  #isClosed = false;

  constructor(name: string, words: string[], settings: Settings) {
    this.name = name;
    this.#start = () => startKillableProcess(words, settings);
    this.#process = this.#start();
    this.#supervise();
  }

  #supervise(): void {
    const { exited, output } = this.#process;
    void exited.then(async (code) => {
      if (!this.#isKilled) this.ownEnds.push({ code, output: output() });
      await delay(RESTART_MILLISECONDS);
      if (this.#isClosed) return;
      this.#isKilled = false;
      this.restarts += 1;
      this.#process = this.#start();
      this.#supervise();
    });
  }

  /** The last part of the current process's output. */
  output(): string {
    return this.#process.output();
  }

  /** Kills the process without a shutdown. The supervisor starts it again. */
  async kill(): Promise<void> {
    this.#isKilled = true;
    await this.#process.kill();
  }

  suspend(): void {
    this.#process.suspend();
  }

  resume(): void {
    this.#process.resume();
  }

  /** Kills the process for good, so the supervisor does not start it again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.kill();
  }
}
