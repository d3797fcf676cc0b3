import { setTimeout as delay } from 'node:timers/promises';
import { isTransientError, type Pool } from '@milepost/postgres';
import {
  cancelReplay,
  dropReplay,
  findRunnable,
  pauseReplay,
  promoteReplay,
  resumeReplay,
  rollBack,
  runReplay,
  startReplay,
} from '@milepost/replay';
import { advance } from '../../../packages/core/projections/engine/advance.ts';
import { Connections } from '../kernel/pool.ts';
import type { SimulatedProcess, Simulation } from '../kernel/simulation.ts';
import { ReplayStore } from '../store/replay-store.ts';
import { ReplayInvariants } from './invariants.ts';
import { SIMULATED } from './projection.ts';

/** In this number of steps per thousand, the environment acts after the step. */
const ACTION_PER_THOUSAND = 60;
const MAX_ACTIONS = 6;
const MAX_FAULTY_STEPS = 120;
const POLL_MILLISECONDS = 500;
const WORKERS = 2;
/** How many positions the log has at the start. */
const FIRST_POSITIONS = 3;
/** Long enough for leases to expire, which last five seconds. */
const CLOCK_JUMP_MILLISECONDS = 6_000;
const REFUSALS = ['ReplayRefusedError', 'ReplayNotFoundError'];
const REQUEST = { projection: 'all', promote: true, throttle: 'off', requestedBy: 'simulation' } as const;

interface Worker {
  process: SimulatedProcess;
  connections: Connections;
}

/** A lane with read tables, workers that run replays, a projector, and an operator. */
class ReplayWorld {
  readonly simulation: Simulation;
  readonly store: ReplayStore;
  readonly #invariants: ReplayInvariants;
  #workers: Worker[] = [];
  readonly #operator: Worker;
  readonly #projector: Worker;
  #clockJump = 0;
  #actions = 0;
  #started = 0;
  #running = 0;

  constructor(simulation: Simulation) {
    this.simulation = simulation;
    this.store = new ReplayStore(() => simulation.now + this.#clockJump);
    const { tables } = this.store;
    tables.head.load('head', { position: FIRST_POSITIONS });
    for (const { name, version } of SIMULATED) {
      const table = `${name}_1`;
      const kept = { projection: name, generation: 1, version, live: true, cutoff: null, isDropped: false };
      tables.generations.load(`${name}/1`, { ...kept, checkpoint: FIRST_POSITIONS });
      tables.relations.load(table, { name: table });
      tables.views.load(name, { table });
      for (let position = 1; position <= FIRST_POSITIONS; position += 1)
        tables.rows.load(`${table}/${position}`, { table, position });
    }
    this.#invariants = new ReplayInvariants(tables);
    this.#operator = this.#open('operator');
    this.#projector = this.#open('projector');
    this.store.onStatement = (process, sent, answer) => this.#invariants.noteClaim(process, sent, answer);
    this.store.onCommit = (process) => this.#invariants.checkCommit(process, process.name.startsWith('worker'));
    for (let worker = 0; worker < 2; worker += 1) this.#startWorker();
    this.#operate(async (pool) => void (await startReplay(pool, SIMULATED, REQUEST)));
  }

  get isEnded(): boolean {
    if (this.simulation.hasFaults || this.#running > 0) return false;
    return this.#replays.length > 0 && this.#replays.every(({ phase }) => RESTING.includes(phase));
  }

  get #replays() {
    return [...this.store.tables.replays.committed.values()];
  }

  /** Acts as the environment after a step. */
  act(): void {
    const { simulation } = this;
    if (this.#actions < MAX_ACTIONS && simulation.fault(ACTION_PER_THOUSAND)) {
      this.#actions += 1;
      this.#actOnce();
    }
    const isIdle = this.#running === 0 && this.#replays.length > 0;
    const isResting = isIdle && this.#replays.every(({ phase, halted }) => RESTING.includes(phase) || halted !== null);
    if (simulation.hasFaults && (simulation.steps > MAX_FAULTY_STEPS || isResting)) this.#endFaults();
    if (simulation.hasFaults || this.#running > 0) return;
    const halted = this.#replays.find((replay) => replay.halted !== null && !RESTING.includes(replay.phase));
    if (halted) this.#operate(async (pool) => await resumeReplay(pool, halted.id));
    if (this.#replays.length === 0) this.#operate(async (pool) => void (await startReplay(pool, SIMULATED, REQUEST)));
  }

  #actOnce(): void {
    const { choices } = this.simulation;
    const id = this.#replays.length;
    const worker = this.#workers[choices.below(this.#workers.length)];
    switch (choices.below(11)) {
      case 0:
        this.#operate(async (pool) => await cancelReplay(pool, id));
        break;
      case 1:
        this.#operate(async (pool) => await pauseReplay(pool, id));
        break;
      case 2:
        this.#operate(async (pool) => await resumeReplay(pool, id));
        break;
      case 3:
        this.#operate(async (pool) => await promoteReplay(pool, id, { acceptDifferences: false }));
        break;
      case 4:
        this.#operate(async (pool) => await dropReplay(pool, id));
        break;
      case 5:
        this.#operate(
          async (pool) => void (await rollBack(pool, SIMULATED, { projection: 'all', requestedBy: 'simulation' })),
        );
        break;
      case 6: {
        const promote = choices.below(2) === 0;
        this.#operate(async (pool) => void (await startReplay(pool, SIMULATED, { ...REQUEST, promote })));
        break;
      }
      case 7:
        if (worker) this.#pause(worker);
        break;
      case 8: {
        if (worker) this.#kill(worker);
        this.#startWorker();
        break;
      }
      case 9: {
        this.simulation.note(() => `the clock of the server jumps by ${CLOCK_JUMP_MILLISECONDS} ms`);
        this.#clockJump += CLOCK_JUMP_MILLISECONDS;
        break;
      }
      default:
        this.#growLog();
        break;
    }
  }

  #open(kind: string): Worker {
    this.#started += 1;
    const process = { name: `${kind} ${this.#started}`, isPaused: false, isKilled: false };
    return { process, connections: new Connections(this.simulation, this.store, process) };
  }

  /** Starts a process that runs every replay in need of a worker, as `ops` does. */
  #startWorker(): void {
    const worker = this.#open('worker');
    this.#workers.push(worker);
    const { pool } = worker.connections;
    const { signal } = new AbortController();
    this.simulation.start(worker.process, async () => {
      for (;;) {
        const ids = await findRunnable(pool).catch(() => []);
        for (const id of ids) {
          const options = { signal, workers: WORKERS, onPhase: () => {} };
          await runReplay(pool, SIMULATED, id, options).catch((error: unknown) => {
            if (!isTransientError(error)) throw error;
          });
        }
        await delay(POLL_MILLISECONDS);
      }
    });
  }

  /** Runs an operator's command, which may be refused. */
  #operate(command: (pool: Pool) => Promise<void>): void {
    const { process, connections } = this.#operator;
    this.#running += 1;
    this.simulation.start(process, async () => {
      try {
        await command(connections.pool);
      } catch (error) {
        const isRefused = error instanceof Error && REFUSALS.includes(error.name);
        if (!isRefused && !isTransientError(error)) throw error;
      } finally {
        this.#running -= 1;
      }
    });
  }

  /** Adds a stored event and lets the projector apply it. */
  #growLog(): void {
    const head = this.store.tables.head;
    const position = (head.committed.get('head')?.position ?? 0) + 1;
    head.load('head', { position });
    this.simulation.note(() => `the log grows to position ${position}`);
    const { process, connections } = this.#projector;
    this.#running += 1;
    this.simulation.start(process, async () => {
      try {
        await advance(connections.pool, SIMULATED, 10);
      } catch (error) {
        if (!isTransientError(error)) throw error;
      } finally {
        this.#running -= 1;
      }
    });
  }

  #pause({ process, connections }: Worker): void {
    if (process.isPaused) return;
    const milliseconds = 1 + this.simulation.choices.below(8) * 9_000;
    this.simulation.note(() => `${process.name} pauses for ${milliseconds} ms`);
    process.isPaused = true;
    connections.pause();
    this.simulation.after(milliseconds, null, () => {
      this.simulation.note(() => `${process.name} continues`);
      process.isPaused = false;
    });
  }

  #kill(worker: Worker): void {
    this.simulation.note(() => `${worker.process.name} is killed`);
    worker.process.isKilled = true;
    worker.connections.kill();
    this.#workers = this.#workers.filter((each) => each !== worker);
  }

  #endFaults(): void {
    this.simulation.note(() => 'the faults end');
    this.simulation.hasFaults = false;
    for (const { process } of this.#workers) process.isPaused = false;
  }
}

const RESTING = ['waiting', 'promoted', 'cancelled', 'dropped'];

/** Runs one interleaving. Throws an error when a rule is broken. */
export async function runReplays(simulation: Simulation): Promise<void> {
  const world = new ReplayWorld(simulation);
  await simulation.run(() => {
    world.act();
    return world.isEnded;
  });
}
