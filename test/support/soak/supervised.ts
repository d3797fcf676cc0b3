import { setTimeout as delay } from 'node:timers/promises';
import type { Settings } from '../milepost.ts';
import { type RunningProcess, startProcess } from '../processes.ts';

/** The supervisor restarts a process this long after it has ended. */
const RESTART_MILLISECONDS = 100;
const KEPT_CHARACTERS = 6_000;

/** A Milepost process that is restarted whenever it ends, as under a supervisor. */
export class Supervised {
  readonly name: string;
  /** The exit code and last output of each exit that was not caused by a kill. */
  readonly ownEnds: { code: number | null; output: string }[] = [];
  restarts = 0;
  readonly #start: () => RunningProcess;
  #process: RunningProcess;
  #isKilled = false;
  #isClosed = false;

  constructor(name: string, settings: Settings) {
    this.name = name;
    this.#start = () => startProcess([name], settings);
    this.#process = this.#start();
    this.#supervise();
  }

  #supervise(): void {
    const { exited, output } = this.#process;
    void exited.then(async (code) => {
      if (!this.#isKilled) this.ownEnds.push({ code, output: output().slice(-KEPT_CHARACTERS) });
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
    return this.#process.output().slice(-KEPT_CHARACTERS);
  }

  /** Kills the process without a shutdown. The supervisor restarts it. */
  async kill(): Promise<void> {
    this.#isKilled = true;
    await this.#process.kill();
  }

  /** Suspends the process with SIGSTOP, or resumes it with SIGCONT. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process.child.kill(name);
  }

  /** Kills the process for good: the supervisor does not restart it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.kill();
  }
}
