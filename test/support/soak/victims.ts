import { setTimeout as delay } from 'node:timers/promises';
import { drawFrom } from '../draw.ts';
import { retry, until } from '../faults/patience.ts';
import { firstValue } from '../tables.ts';
import type { Mover } from './operate.ts';
import { MOVING_FLEET } from './records.ts';
import type { SoakWorld, Supervised } from './world.ts';

/** Each victim's share of the kills, as a percentage. */
const SHARES = { ingest: 22, projector: 20, ops: 20, move: 14, postgres: 10, kafka: 8, redis: 6 } as const;

export type Victim = keyof typeof SHARES;
const VICTIMS: readonly Victim[] = ['ingest', 'projector', 'ops', 'move', 'postgres', 'kafka', 'redis'];

/** The maximum time between a victim's progress and its next fault. */
const MAX_DELAY_MILLISECONDS = 2_500;
const MAX_DOWN_MILLISECONDS = 1_500;
/**
 * One in this many faults suspends a process instead of killing it. `stuck-sessions.test.ts` covers a suspended
 * PostgreSQL.
 */
const SUSPENDED_OF = 4;

/** A fault that strikes one process. */
export type Kill = ReturnType<typeof drawKill>;

function drawKill(draw: (below: number) => number, victim: Victim) {
  const isSuspended = victim !== 'postgres' && victim !== 'redis' && draw(SUSPENDED_OF) === 0;
  return {
    signal: isSuspended ? ('SIGSTOP' as const) : ('SIGKILL' as const),
    /** Which of the two processes of its kind the fault strikes. */
    replica: draw(2) === 0 ? (0 as const) : (1 as const),
    /** The fault occurs this many milliseconds after the test has seen the victim advance. */
    delayMilliseconds: draw(MAX_DELAY_MILLISECONDS),
    /** How long a server stays down. */
    downMilliseconds: draw(MAX_DOWN_MILLISECONDS),
  };
}

/** Returns each victim's kills in order. The same seed gives the same kills. */
export function drawKills(seed: number, kills: number): ReadonlyMap<Victim, readonly Kill[]> {
  const draw = drawFrom(seed);
  const [, ...others] = VICTIMS.map((victim) => Math.ceil((kills * SHARES[victim]) / 100));
  // Ingest, the first victim, gets the rest.
  const counts = [Math.max(0, kills - others.reduce((sum, count) => sum + count, 0)), ...others];
  return new Map(
    VICTIMS.map((victim, index) => [victim, Array.from({ length: counts[index] ?? 0 }, () => drawKill(draw, victim))]),
  );
}

/** SQL that returns a value for each kind of process. It changes whenever that process makes progress in a lane. */
const IN_LANE = {
  ingest: `SELECT sum(next_offset) FROM log_source WHERE topic NOT LIKE '%:%'`,
  projector: 'SELECT min(checkpoint) FROM generation WHERE live',
  ops: `SELECT concat_ws('/', max(replay_id), (array_agg(phase ORDER BY replay_id DESC))[1],
          (SELECT count(*) FROM replay_chunk WHERE done)) FROM replay`,
} as const;

async function stateOf(world: SoakWorld, part: keyof typeof IN_LANE): Promise<string> {
  return (await world.inLanes(IN_LANE[part])).join();
}

/** Returns how many times partitions have been claimed. The number increases when a process claims a partition. */
async function claimsOf(world: SoakWorld): Promise<number> {
  const epochs = await world.inLanes<number>(`SELECT sum(epoch) FROM log_source WHERE topic NOT LIKE '%:%'`);
  return epochs.reduce<number>((sum, each) => sum + (each ?? 0), 0);
}

/** Returns a string that changes when the fleet's last move is claimed or advances. */
async function moveOf(world: SoakWorld): Promise<string> {
  const sql = `SELECT concat_ws('/', fleet_move_id, epoch, step, position) FROM fleet_move WHERE fleet_id = $1
    ORDER BY fleet_move_id DESC LIMIT 1`;
  return (await retry(() => firstValue<string>(world.directory, sql, [MOVING_FLEET]))) ?? '';
}

/** The processes whose progress shows that a victim works again. After a fault in PostgreSQL or Kafka, both must advance. */
const ADVANCING = {
  ingest: ['ingest'],
  projector: ['projector'],
  ops: ['ops'],
  postgres: ['ingest', 'projector'],
  kafka: ['ingest', 'projector'],
  redis: ['ops'],
} as const;

/** Returns strings. When all of them have changed, the victim has advanced. */
export async function progressOf(world: SoakWorld, victim: Victim): Promise<string[]> {
  if (victim === 'move') return [await moveOf(world)];
  return await Promise.all(ADVANCING[victim].map((part) => stateOf(world, part)));
}

/** Longer than a replay's lease and a consumer group's session timeout. */
const MAX_SUSPENDED_MILLISECONDS = 9_000;
const SUSPENDED_PROJECTOR_MILLISECONDS = 3_000;
const SUSPENDED_OPS_MILLISECONDS = 7_000;

/** Suspends a process until the condition is true, but no longer than the maximum time. */
async function whileSuspended(process: Supervised, condition: () => Promise<boolean>): Promise<void> {
  process.signal('SIGSTOP');
  // The suspended process may hold a lock without which the others cannot make the condition true. In this case, resume
  // the process even though the condition is still false.
  await until('a suspended process', condition, MAX_SUSPENDED_MILLISECONDS).catch(() => {});
  process.signal('SIGCONT');
}

/** Kills the command that moves the fleet, or suspends it until another command has taken over its move. */
async function strikeMove(world: SoakWorld, mover: Mover, signal: Kill['signal']): Promise<void> {
  const command = await mover.running();
  if (signal === 'SIGKILL') return await command.kill();
  const before = await moveOf(world);
  command.child.kill('SIGSTOP');
  const other = await mover.start();
  const isTaken = async () => (await moveOf(world)) !== before;
  await until('another command', isTaken, MAX_SUSPENDED_MILLISECONDS).catch(() => {});
  command.child.kill('SIGCONT');
  await Promise.race([other.exited, command.exited]);
}

/** Kills or suspends a victim. Restarts a killed server; other processes are restarted by their supervisors. */
export async function strike(world: SoakWorld, mover: Mover, victim: Victim, kill: Kill): Promise<void> {
  const isKill = kill.signal === 'SIGKILL';
  switch (victim) {
    case 'ingest': {
      const process = world.ingest[kill.replica];
      if (isKill) return await process.kill();
      const before = await claimsOf(world);
      // When the suspended process's session expires, another process claims its partitions.
      return await whileSuspended(process, async () => (await claimsOf(world)) > before);
    }
    case 'projector':
    case 'ops': {
      const process = world[victim][kill.replica];
      if (isKill) return await process.kill();
      process.signal('SIGSTOP');
      await delay(victim === 'ops' ? SUSPENDED_OPS_MILLISECONDS : SUSPENDED_PROJECTOR_MILLISECONDS);
      return process.signal('SIGCONT');
    }
    case 'move':
      return await strikeMove(world, mover, kill.signal);
    case 'postgres':
    case 'redis':
      // Redis keeps its data only in memory, so a restart without delay has the same effect as FLUSHALL.
      await world[victim].kill();
      await delay(kill.downMilliseconds);
      return await world[victim].restart();
    case 'kafka':
      if (!isKill) {
        world.kafka.signal('SIGSTOP');
        await delay(kill.downMilliseconds * 3);
        return world.kafka.signal('SIGCONT');
      }
      await world.kafka.kill();
      await delay(kill.downMilliseconds);
      await world.kafka.restart();
  }
}
