import { setTimeout as delay } from 'node:timers/promises';
import { type KillableProcess, startKillableProcess } from '../faults/process.ts';
import type { Settings } from '../milepost.ts';

/** A supervisor starts a process again after this time. */
const RESTART_MILLISECONDS = 100;

/** A Milepost process that is restarted whenever it ends, as it would be by a supervisor. */
export class Supervised {
  readonly name: string;
  /** The exit code and the last output of each exit that no kill caused. */
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

  /** The last part of the output of the present process. */
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

  /** Kills the process permanently: the supervisor does not start it again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.kill();
  }
}
