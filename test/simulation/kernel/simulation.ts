import { AsyncLocalStorage } from 'node:async_hooks';
import type { Choices } from './choices.ts';

/** A process in the simulation. Asynchronous work belongs to the process that started it. */
export interface SimulatedProcess {
  readonly name: string;
  /** A paused process does not run anything, but the requests that it has sent still arrive. */
  isPaused: boolean;
  isKilled: boolean;
}

interface Task {
  /** The process that runs the task; null for the network and the servers. */
  process: SimulatedProcess | null;
  run: () => void;
}

interface Timer extends Task {
  /** Simulated milliseconds. */
  at: number;
}

/** Thrown when a protocol breaks one of its rules. */
export class InvariantError extends Error {
  override name = 'InvariantError';
}

const current = new AsyncLocalStorage<SimulatedProcess>();
/** A run with this many steps has stalled. */
const MAX_STEPS = 20_000;
/** In this many steps per thousand, time passes although tasks are waiting. */
const SLOW_PER_THOUSAND = 15;

/**
 * Runs tasks one at a time. The choices decide which task is next and when time passes. Between two tasks, Node runs
 * all JavaScript code that is not waiting for a task.
 */
export class Simulation {
  readonly choices: Choices;
  /** Simulated milliseconds since the start. */
  now = 0;
  steps = 0;
  /** Whether faults are injected. */
  hasFaults = true;
  readonly trace: string[] = [];
  /** Whether the steps are recorded. */
  readonly isTraced: boolean;
  #tasks: Task[] = [];
  #timers: Timer[] = [];
  #ticks = 1;
  #failure: { error: unknown } | null = null;

  constructor(choices: Choices, isTraced = false) {
    this.choices = choices;
    this.isTraced = isTraced;
  }

  /** The process whose code is running; null if there is none. */
  get process(): SimulatedProcess | null {
    return current.getStore() ?? null;
  }

  /** Starts work in a process. If the work throws an error, the run fails. */
  start(process: SimulatedProcess, work: () => Promise<unknown>): void {
    current.run(process, () => {
      work().catch((error: unknown) => {
        if (!process.isKilled) this.fail(error);
      });
    });
  }

  /** Runs the simulation until work in a process ends. Returns the result of the work. */
  async runWork<Value>(process: SimulatedProcess, work: () => Promise<Value>): Promise<Value> {
    const result = Promise.withResolvers<Value>();
    let hasEnded = false;
    this.start(process, async () => {
      result.resolve(await work());
      hasEnded = true;
    });
    await this.run(() => hasEnded);
    return await result.promise;
  }

  /** Records a step, for the report of a failure. */
  note(describe: () => string): void {
    if (this.isTraced) this.trace.push(`${String(this.now).padStart(7)} ms  ${describe()}`);
  }

  /** Adds a task that can run now. */
  add(process: SimulatedProcess | null, run: () => void): void {
    this.#tasks.push({ process, run });
  }

  /** Adds a task that can run after a delay. Returns a function that removes it. */
  after(milliseconds: number, process: SimulatedProcess | null, run: () => void): () => void {
    const timer = { at: this.now + Math.max(0, milliseconds), process, run };
    this.#timers.push(timer);
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index >= 0) this.#timers.splice(index, 1);
    };
  }

  /** Makes the next task wait for this many rounds of `process.nextTick` callbacks. Streams need several. */
  awaitTicks(count: number): void {
    this.#ticks = Math.max(this.#ticks, count);
  }

  /** Ends the run with an error. */
  fail(error: unknown): void {
    this.#failure ??= { error };
  }

  /** Decides whether a fault with this probability happens now. */
  fault(perThousand: number): boolean {
    return this.hasFaults && this.choices.chance(perThousand);
  }

  /**
   * Runs tasks until `isDone`, which is called after each of them, returns true.
   *
   * @throws the error of a process, or InvariantError if the run stalls
   */
  async run(isDone: () => boolean): Promise<void> {
    await this.#settle();
    while (this.#failure === null && !isDone()) {
      this.steps += 1;
      if (this.steps > MAX_STEPS) throw new InvariantError(`the run did not end within ${MAX_STEPS} steps`);
      this.#next()();
      await this.#settle();
    }
    this.throwFailure();
  }

  /** If an error has ended the run, throws that error. */
  throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Resolves when all code not waiting for a task has run. Node runs `process.nextTick` callbacks after microtasks. */
  async #settle(): Promise<void> {
    for (; this.#ticks > 0; this.#ticks -= 1) {
      await null;
      await new Promise<void>((resolve) => process.nextTick(resolve));
    }
    this.#ticks = 1;
  }

  #next(): () => void {
    const isSlow = this.#timers.length > 0 && this.fault(SLOW_PER_THOUSAND);
    const ready = isSlow ? [] : this.#tasks.filter(isRunnable);
    const task = ready[this.choices.below(ready.length)];
    if (task !== undefined) {
      this.#tasks.splice(this.#tasks.indexOf(task), 1);
      return task.run;
    }
    let first: Timer | undefined;
    for (const timer of this.#timers) if (isRunnable(timer) && !(first && first.at <= timer.at)) first = timer;
    if (first === undefined) {
      const [any] = this.#tasks.filter(isRunnable);
      if (any === undefined) throw new InvariantError('no process can continue');
      this.#tasks.splice(this.#tasks.indexOf(any), 1);
      return any.run;
    }
    this.#timers.splice(this.#timers.indexOf(first), 1);
    this.now = Math.max(this.now, first.at);
    return first.run;
  }
}

function isRunnable({ process }: Task): boolean {
  return process === null || !(process.isPaused || process.isKilled);
}
