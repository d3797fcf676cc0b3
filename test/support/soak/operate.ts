import { setTimeout as delay } from 'node:timers/promises';
import { discardDeadLetters } from '@milepost/dead-letters';
import { PROJECTIONS } from '@milepost/projections';
import { cancelReplay, dropReplay, type Phase, rollBack, showReplay, startReplay } from '@milepost/replay';
import { openQueue } from '../../../apps/ops/queue.ts';
import { run } from '../command.ts';
import { retry, until } from '../faults/patience.ts';
import { type RunningProcess, startProcess } from '../processes.ts';
import { firstValue, valuesOf } from '../tables.ts';
import { driverOf, FLEETS, MOVING_FLEET } from './records.ts';
import type { SoakWorld } from './world.ts';

/** The pause between two moves. Each command takes a second of processor time. */
const PAUSE_MILLISECONDS = 1_500;
/** While the server is restarting, a command fails immediately, so the number of attempts is not limited. */
const MAX_ERASURE_MILLISECONDS = 150_000;

/**
 * Replays all projections, in alternating lanes, until the signal is aborted. In turn, one replay is promoted, one is
 * rolled back after its promotion, and one is cancelled. Returns the number of replays.
 */
export async function replayRepeatedly(world: SoakWorld, signal: AbortSignal): Promise<number> {
  let replays = 0;
  for (; !signal.aborted; replays += 1) {
    const lane = replays % world.operators.length;
    const operator = world.operators[lane];
    if (!operator) throw new Error(`There is no lane ${lane}.`);
    /** Announces the replay to a worker. Resolves when the replay has reached one of these phases. */
    const runTo = async (id: number, ...ends: readonly Phase[]) => {
      // Each announcement has its own connection, because the kills break the connections to Redis.
      const queue = openQueue(world.redis.address);
      await queue.add({ kind: 'replay', id, lane });
      await queue.close();
      await until(`Replay ${id} of lane ${lane}`, async () => {
        const { phase, halted, error } = await retry(() => showReplay(operator, PROJECTIONS, id));
        const isStuck = halted !== null || (phase === 'waiting' && !ends.includes(phase));
        if (isStuck) throw new Error(`Replay ${id} of lane ${lane}: ${phase}, ${error}`);
        return ends.includes(phase);
      });
    };
    const end = (['promoted', 'rolled back', 'cancelled'] as const)[replays % 3];
    const request = { projection: 'all', promote: end !== 'cancelled', throttle: 'off', requestedBy: 'soak' } as const;
    const { id } = await retry(() => startReplay(operator, PROJECTIONS, request));
    await runTo(id, end === 'cancelled' ? 'waiting' : 'promoted');
    if (end === 'cancelled') {
      const { verification } = await retry(() => showReplay(operator, PROJECTIONS, id));
      if (!verification?.equal) throw new Error(`Replay ${id} of lane ${lane}: ${JSON.stringify(verification)}`);
      await retry(() => cancelReplay(operator, id));
      await runTo(id, 'cancelled');
      continue;
    }
    const last = end === 'promoted' ? { id } : await retry(() => rollBack(operator, PROJECTIONS, request));
    await runTo(last.id, 'promoted');
    await retry(() => dropReplay(operator, last.id));
    await runTo(last.id, 'promoted', 'dropped');
  }
  return replays;
}

export type Erased = Awaited<ReturnType<typeof eraseDriver>>;

/** Erases a driver. If the server is killed during the command, the command is repeated. */
export async function eraseDriver(world: SoakWorld, fleetId: string, number: number) {
  const driverId = driverOf(fleetId, number);
  const home = world.lanes[FLEETS.get(fleetId) ?? 0];
  if (!home) throw new Error(`The fleet ${fleetId} has no lane.`);
  const sql = 'SELECT pseudonym FROM erasure WHERE fleet_id = $1';
  const pseudonyms = async () => await retry(() => valuesOf<string>(home, sql, [fleetId]));
  const before = new Set(await pseudonyms());
  const deadline = performance.now() + MAX_ERASURE_MILLISECONDS;
  const causes = new Set<string>();
  for (let attempts = 1; ; attempts += 1) {
    const words = ['drivers', 'erase', '--fleet', fleetId, '--driver', driverId, '--reason', 'a request', '--yes'];
    const { code, stderr } = await run(words, world.settings);
    const pseudonym = (await pseudonyms()).find((each) => !before.has(each));
    // An interrupted command is repeated even if the driver has already been erased, because the command may have
    // missed the other lanes.
    if (pseudonym && (code === 0 || stderr.includes('already been erased'))) return { fleetId, driverId, pseudonym };
    causes.add(stderr.trim());
    if (performance.now() > deadline) {
      throw new Error(`The driver ${driverId} could not be erased ${attempts} times: ${[...causes].join('; ')}`);
    }
  }
}

/** Discards the moving fleet's open dead letters, as an operator must do before a move. */
async function discardLetters(world: SoakWorld): Promise<void> {
  for (const operator of world.operators) {
    await retry(async () => {
      const sql = 'SELECT dead_letter_id FROM dead_letter WHERE resolution IS NULL AND fleets = ARRAY[$1]';
      await discardDeadLetters(operator, await valuesOf(operator, sql, [MOVING_FLEET]), 'The fleet moves.');
    });
  }
}

/** Returns the lane to which the fleet is moving or will move next. */
async function nextLane(world: SoakWorld): Promise<number> {
  const sql = `SELECT coalesce((SELECT to_lane FROM fleet_move WHERE fleet_id = $1 AND ended_at IS NULL), 1 - lane)
    FROM fleet WHERE fleet_id = $1`;
  return (await retry(() => firstValue<number>(world.directory, sql, [MOVING_FLEET]))) ?? 0;
}

export type Mover = ReturnType<typeof createMover>;

/** Returns an operator who repeatedly runs the command that moves the fleet. */
export function createMover(world: SoakWorld) {
  const commands = new Set<RunningProcess>();
  let last: RunningProcess | undefined;
  let moves = 0;
  let isEnding = false;

  /**
   * Starts a command. It continues an unfinished move if there is one; otherwise, it moves the fleet to the other lane.
   */
  async function start(): Promise<RunningProcess> {
    await discardLetters(world);
    const words = ['fleets', 'move', MOVING_FLEET, String(await nextLane(world))];
    const command = startProcess(words, world.settings);
    commands.add(command);
    last = command;
    void command.exited.then((code) => {
      commands.delete(command);
      if (code === 0) moves += 1;
    });
    return command;
  }

  /** Returns the running command, or starts a new one. */
  async function running(): Promise<RunningProcess> {
    return last && commands.has(last) ? last : await start();
  }

  return {
    start,
    running,
    /** Returns the number of commands that moved the fleet. */
    moves: () => moves,
    /** Moves the fleet back and forth until the soak ends. After a command is killed or refused, starts another one. */
    run: async () => {
      for (; !isEnding; await delay(PAUSE_MILLISECONDS)) await (await running()).exited;
    },
    /** Completes an unfinished move. */
    complete: async () => {
      isEnding = true;
      const isOpen = async () =>
        (await world.directory.query('SELECT FROM fleet_move WHERE ended_at IS NULL')).rowCount !== 0;
      for (let attempts = 0; commands.size > 0 || (await isOpen()); attempts += 1) {
        const command = await running();
        await command.exited;
        if (attempts === 10) throw new Error(`The move does not end: ${command.output()}`);
      }
    },
    close: async () => {
      isEnding = true;
      await Promise.all([...commands].map((command) => command.kill()));
    },
  };
}
