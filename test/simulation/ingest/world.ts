import { moveFleet } from '@milepost/fleet-move';
import { isTransientError } from '@milepost/postgres';
import { type Connections, openConnections } from '../kernel/pool.ts';
import type { SimulatedProcess, Simulation } from '../kernel/simulation.ts';
import { DirectoryStore } from '../store/directory-store.ts';
import { LogStore } from '../store/log-store.ts';
import { type Broker, runPartition } from './ingest-process.ts';
import { createInvariants } from './invariants.ts';
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
function openWorld(simulation: Simulation) {
  const lanes = [new LogStore('lane 0'), new LogStore('lane 1')];
  const directoryStore = new DirectoryStore();
  const broker: Broker = { records: [], onGrowth: new Set() };
  const invariants = createInvariants(lanes, directoryStore);
  let members: Member[] = [];
  let actions = 0;
  let started = 0;
  let hasRefetched = false;
  let movers: { process: SimulatedProcess; connections: Connections[] }[] = [];
  for (const [fleet_id, lane] of PLACES) directoryStore.fleets.load(fleet_id, { fleet_id, lane });
  for (const lane of lanes) {
    lane.onStatement = (process, sent, answer) => invariants.checkStatement(lane, process, sent, answer);
    lane.onCommit = () => invariants.checkCommit(lane);
  }
  produce();
  assign();

  const isMoveEnded = () => directoryStore.moves.committed.values().every(({ isEnded }) => isEnded);
  /** Whether all records are stored and no fleet is moving. */
  const isEnded = () => !simulation.hasFaults && invariants.isComplete() && isMoveEnded() && movers.length === 0;

  /** Acts as the environment after a step. */
  function act(): void {
    if (actions < MAX_ACTIONS && simulation.fault(ACTION_PER_THOUSAND)) {
      actions += 1;
      actOnce();
    }
    const isAllProduced = broker.records.length === STREAM.length;
    if (simulation.hasFaults && (simulation.steps > MAX_FAULTY_STEPS || (isAllProduced && invariants.isComplete()))) {
      endFaults();
    }
    if (!simulation.hasFaults && movers.length === 0 && !isMoveEnded()) continueMove();
  }

  function actOnce(): void {
    const { choices } = simulation;
    const [member] = members.slice(choices.below(members.length));
    switch (choices.below(8)) {
      case 0:
      case 1:
      case 2:
        move(1 - (directoryStore.laneOf(MOVING) ?? 0));
        break;
      case 3:
        assign();
        break;
      case 4:
        if (member) pause(member.process, member.connections);
        break;
      case 5: {
        if (member) kill(member.process, member.connections);
        members = members.filter((each) => each !== member);
        assign();
        break;
      }
      case 6: {
        const [mover] = movers.slice(choices.below(movers.length));
        if (mover === undefined) refetch(member);
        else if (choices.below(2) === 0) pause(mover.process, mover.connections);
        else {
          kill(mover.process, mover.connections);
          movers = movers.filter((each) => each !== mover);
        }
        break;
      }
      default:
        stopLane();
        break;
    }
  }

  /**
   * Makes the client fetch a record again, but only once. If it did so twice, the partition could conclude that its
   * topic had been created again, and stop.
   */
  function refetch(member: Member | undefined): void {
    if (!hasRefetched) member?.refetch();
    hasRefetched = true;
  }

  /** Adds the stream's records, one after another. */
  function produce(): void {
    const record = STREAM[broker.records.length];
    if (record === undefined) return;
    simulation.after(PRODUCE_MILLISECONDS, null, () => {
      broker.records.push(record);
      for (const fetch of broker.onGrowth) fetch();
      produce();
    });
  }

  /** Starts a process and gives it the partition. The previous owner finds out later. */
  function assign(): void {
    for (const earlier of members) {
      simulation.add(earlier.process, () => {
        earlier.end();
        members = members.filter((member) => member !== earlier);
      });
    }
    const { process, connections, pools, directory } = open('ingest');
    simulation.note(() => `${process.name} gets the partition`);
    const running = runPartition(simulation, process, broker, pools, directory);
    members.push({ process, connections, ...running });
  }

  function open(kind: string) {
    started += 1;
    const process = { name: `${kind} ${started}`, isPaused: false, isKilled: false };
    const opened = lanes.map((lane) => openConnections(simulation, lane, process));
    const directory = openConnections(simulation, directoryStore, process);
    const pools = new Map(opened.map(({ pool }, lane) => [lane, pool]));
    return { process, connections: [...opened, directory], pools, directory: directory.pool };
  }

  /** Runs the command that moves the fleet. */
  function move(toLane: number): void {
    const { process, connections, pools, directory } = open('move');
    const mover = { process, connections };
    movers.push(mover);
    simulation.note(() => `${process.name} moves the fleet to lane ${toLane}`);
    const lanes = [...pools].map(([number, pool]) => ({ number, pool: () => pool }));
    const { signal } = new AbortController();
    simulation.start(process, async () => {
      try {
        await moveFleet({ directory, lanes, fleetId: MOVING, toLane, operator: 'simulation', signal });
        simulation.note(() => `${process.name} has moved the fleet`);
      } catch (error) {
        const isExpected =
          error instanceof Error &&
          (MOVE_ERRORS.includes(error.name) || error.message.includes('has been interrupted'));
        if (!isExpected && !isTransientError(error)) throw error;
        simulation.note(() => `${process.name} fails: ${String(error)}`);
      } finally {
        movers = movers.filter((each) => each !== mover);
      }
    });
  }

  function continueMove(): void {
    const unfinished = directoryStore.moves.committed.values().find(({ isEnded }) => !isEnded);
    if (unfinished) move(unfinished.to_lane);
  }

  function pause(process: SimulatedProcess, connections: readonly Connections[]): void {
    if (process.isPaused) return;
    const milliseconds = duration();
    simulation.note(() => `${process.name} pauses for ${milliseconds} ms`);
    process.isPaused = true;
    for (const each of connections) each.pause();
    simulation.after(milliseconds, null, () => {
      simulation.note(() => `${process.name} continues`);
      process.isPaused = false;
    });
  }

  function kill(process: SimulatedProcess, connections: readonly Connections[]): void {
    simulation.note(() => `${process.name} is killed`);
    process.isKilled = true;
    for (const each of connections) each.kill();
  }

  function stopLane(): void {
    const lane = lanes[simulation.choices.below(lanes.length)];
    if (lane === undefined) return;
    const milliseconds = duration();
    simulation.note(() => `${lane.name} is down for ${milliseconds} ms`);
    lane.isDown = true;
    simulation.after(milliseconds, null, () => {
      lane.isDown = false;
    });
  }

  function duration(): number {
    return 1 + (simulation.choices.below(8) * MAX_FAULT_MILLISECONDS) / 8;
  }

  function endFaults(): void {
    simulation.note(() => 'the faults end');
    simulation.hasFaults = false;
    for (const lane of lanes) lane.isDown = false;
    for (const { process } of [...members, ...movers]) process.isPaused = false;
  }

  return { act, isEnded, checkEnd: invariants.checkEnd };
}

/** Runs one interleaving. Throws an error when a rule is broken. */
export async function runIngest(simulation: Simulation): Promise<void> {
  const { act, isEnded, checkEnd } = openWorld(simulation);
  await simulation.run(() => {
    act();
    return isEnded();
  });
  checkEnd();
}
