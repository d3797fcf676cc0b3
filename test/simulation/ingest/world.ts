import { moveFleet } from '@milepost/fleet-move';
import { isTransientError } from '@milepost/postgres';
import { Connections } from '../kernel/pool.ts';
import type { SimulatedProcess, Simulation } from '../kernel/simulation.ts';
import { DirectoryStore } from '../store/directory-store.ts';
import { LogStore } from '../store/log-store.ts';
import { type Broker, runPartition } from './ingest-process.ts';
import { IngestInvariants } from './invariants.ts';
import { MOVING, PLACES, STREAM } from './stream.ts';

/** How often, per thousand steps, the environment acts. */
const ACTION_PER_THOUSAND = 50;
const MAX_ACTIONS = 5;
/** After this number of steps, there are no more faults, so that the run can end. */
const MAX_FAULTY_STEPS = 120;
const PRODUCE_MILLISECONDS = 5;
const MAX_FAULT_MILLISECONDS = 70_000;
/** The errors that can end the move of a fleet. The next call continues the move. */
const MOVE_ERRORS = ['MoveRefusedError', 'MoveTakenError', 'SourceFencedError'];

interface Member {
  process: SimulatedProcess;
  connections: Connections[];
  end: () => void;
  refetch: () => void;
}

/** Two lanes, a topic, the ingest processes, and the processes that move a fleet. */
class IngestWorld {
  readonly simulation: Simulation;
  readonly lanes = [new LogStore('lane 0'), new LogStore('lane 1')];
  readonly directory = new DirectoryStore();
  readonly broker: Broker = { records: [], onGrowth: new Set() };
  readonly invariants = new IngestInvariants(this.lanes, this.directory);
  #members: Member[] = [];
  #actions = 0;
  #started = 0;
  #hasRefetched = false;
  #movers: { process: SimulatedProcess; connections: Connections[] }[] = [];

  constructor(simulation: Simulation) {
    this.simulation = simulation;
    for (const [fleet_id, lane] of PLACES) this.directory.fleets.load(fleet_id, { fleet_id, lane });
    for (const lane of this.lanes) {
      lane.onStatement = (process, sent, answer) => this.invariants.checkStatement(lane, process, sent, answer);
      lane.onCommit = () => this.invariants.checkCommit(lane);
    }
    this.#produce();
    this.#assign();
  }

  /** Whether all records are stored and no fleet is moving. */
  get isEnded(): boolean {
    return !this.simulation.hasFaults && this.invariants.isComplete && this.#isMoveEnded && this.#movers.length === 0;
  }

  get #isMoveEnded(): boolean {
    return this.directory.moves.committed.values().every(({ isEnded }) => isEnded);
  }

  /** Acts as the environment after a step. */
  act(): void {
    const { simulation } = this;
    if (this.#actions < MAX_ACTIONS && simulation.fault(ACTION_PER_THOUSAND)) {
      this.#actions += 1;
      this.#actOnce();
    }
    const isAllProduced = this.broker.records.length === STREAM.length;
    if (
      simulation.hasFaults &&
      (simulation.steps > MAX_FAULTY_STEPS || (isAllProduced && this.invariants.isComplete))
    ) {
      this.#endFaults();
    }
    if (!simulation.hasFaults && this.#movers.length === 0 && !this.#isMoveEnded) this.#continueMove();
  }

  #actOnce(): void {
    const { choices } = this.simulation;
    const [member] = this.#members.slice(choices.below(this.#members.length));
    switch (choices.below(8)) {
      case 0:
      case 1:
      case 2:
        this.#move(1 - (this.directory.laneOf(MOVING) ?? 0));
        break;
      case 3:
        this.#assign();
        break;
      case 4:
        if (member) this.#pause(member.process, member.connections);
        break;
      case 5: {
        if (member) this.#kill(member.process, member.connections);
        this.#members = this.#members.filter((each) => each !== member);
        this.#assign();
        break;
      }
      case 6: {
        const [mover] = this.#movers.slice(choices.below(this.#movers.length));
        if (mover === undefined) this.#refetch(member);
        else if (choices.below(2) === 0) this.#pause(mover.process, mover.connections);
        else {
          this.#kill(mover.process, mover.connections);
          this.#movers = this.#movers.filter((each) => each !== mover);
        }
        break;
      }
      default:
        this.#stopLane();
        break;
    }
  }

  /**
   * Makes the client fetch a record again. This happens only once, because after a second time, the partition could
   * conclude that its topic had been created again, and stop.
   */
  #refetch(member: Member | undefined): void {
    if (!this.#hasRefetched) member?.refetch();
    this.#hasRefetched = true;
  }

  /** Adds the stream's records, one after another. */
  #produce(): void {
    const record = STREAM[this.broker.records.length];
    if (record === undefined) return;
    this.simulation.after(PRODUCE_MILLISECONDS, null, () => {
      this.broker.records.push(record);
      for (const fetch of this.broker.onGrowth) fetch();
      this.#produce();
    });
  }

  /** Starts a process and gives it the partition. The previous owner finds out later. */
  #assign(): void {
    const { simulation } = this;
    for (const earlier of this.#members) {
      simulation.add(earlier.process, () => {
        earlier.end();
        this.#members = this.#members.filter((member) => member !== earlier);
      });
    }
    const { process, connections, pools, directory } = this.#open('ingest');
    simulation.note(() => `${process.name} gets the partition`);
    const running = runPartition(simulation, process, this.broker, pools, directory);
    this.#members.push({ process, connections, ...running });
  }

  #open(kind: string) {
    this.#started += 1;
    const process = { name: `${kind} ${this.#started}`, isPaused: false, isKilled: false };
    const opened = this.lanes.map((lane) => new Connections(this.simulation, lane, process));
    const directory = new Connections(this.simulation, this.directory, process);
    const pools = new Map(opened.map(({ pool }, lane) => [lane, pool]));
    return { process, connections: [...opened, directory], pools, directory: directory.pool };
  }

  /** Runs the command that moves the fleet. */
  #move(toLane: number): void {
    const { process, connections, pools, directory } = this.#open('move');
    const mover = { process, connections };
    this.#movers.push(mover);
    this.simulation.note(() => `${process.name} moves the fleet to lane ${toLane}`);
    const lanes = [...pools].map(([number, pool]) => ({ number, pool: () => pool }));
    const { signal } = new AbortController();
    this.simulation.start(process, async () => {
      try {
        await moveFleet({ directory, lanes, fleetId: MOVING, toLane, operator: 'simulation', signal });
        this.simulation.note(() => `${process.name} has moved the fleet`);
      } catch (error) {
        const isExpected =
          error instanceof Error &&
          (MOVE_ERRORS.includes(error.name) || error.message.includes('has been interrupted'));
        if (!isExpected && !isTransientError(error)) throw error;
        this.simulation.note(() => `${process.name} fails: ${String(error)}`);
      } finally {
        this.#movers = this.#movers.filter((each) => each !== mover);
      }
    });
  }

  #continueMove(): void {
    const move = [...this.directory.moves.committed.values()].find(({ isEnded }) => !isEnded);
    if (move) this.#move(move.to_lane);
  }

  #pause(process: SimulatedProcess, connections: readonly Connections[]): void {
    if (process.isPaused) return;
    const milliseconds = this.#duration();
    this.simulation.note(() => `${process.name} pauses for ${milliseconds} ms`);
    process.isPaused = true;
    for (const each of connections) each.pause();
    this.simulation.after(milliseconds, null, () => {
      this.simulation.note(() => `${process.name} continues`);
      process.isPaused = false;
    });
  }

  #kill(process: SimulatedProcess, connections: readonly Connections[]): void {
    this.simulation.note(() => `${process.name} is killed`);
    process.isKilled = true;
    for (const each of connections) each.kill();
  }

  #stopLane(): void {
    const lane = this.lanes[this.simulation.choices.below(this.lanes.length)];
    if (lane === undefined) return;
    const milliseconds = this.#duration();
    this.simulation.note(() => `${lane.name} is down for ${milliseconds} ms`);
    lane.isDown = true;
    this.simulation.after(milliseconds, null, () => {
      lane.isDown = false;
    });
  }

  #duration(): number {
    return 1 + (this.simulation.choices.below(8) * MAX_FAULT_MILLISECONDS) / 8;
  }

  #endFaults(): void {
    this.simulation.note(() => 'the faults end');
    this.simulation.hasFaults = false;
    for (const lane of this.lanes) lane.isDown = false;
    for (const { process } of [...this.#members, ...this.#movers]) process.isPaused = false;
  }
}

/** Runs one interleaving. Throws an error when a rule is broken. */
export async function runIngest(simulation: Simulation): Promise<void> {
  const world = new IngestWorld(simulation);
  await simulation.run(() => {
    world.act();
    return world.isEnded;
  });
  world.invariants.checkEnd();
}
