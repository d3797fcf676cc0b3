import { setTimeout as delay } from 'node:timers/promises';
import type { Mover } from './operate.ts';
import type { Kill, Victim } from './plan.ts';
import { claimsOf, moveOf } from './progress.ts';
import type { SoakWorld } from './world.ts';

/** Longer than a replay's lease and a group's session. */
const MAX_SUSPENDED_MILLISECONDS = 9_000;
const SUSPENDED_PROJECTOR_MILLISECONDS = 3_000;
const SUSPENDED_OPS_MILLISECONDS = 7_000;

/** Suspends a process until the condition is true, but at most for the maximum time. */
async function whileSuspended(
  process: { suspend: () => void; resume: () => void },
  world: SoakWorld,
  condition: () => Promise<boolean>,
): Promise<void> {
  process.suspend();
  // The suspended process may hold a lock without which the others cannot make the condition true. In that case, it is
  // resumed although the condition is still false.
  await world.until('a suspended process', condition, MAX_SUSPENDED_MILLISECONDS).catch(() => {});
  process.resume();
}

/** Kills the command that moves the fleet, or suspends it until another command has taken over its move. */
async function strikeMove(world: SoakWorld, mover: Mover, signal: Kill['signal']): Promise<void> {
  const command = await mover.running();
  if (signal === 'SIGKILL') return await command.kill();
  const before = await moveOf(world);
  command.suspend();
  const other = await mover.start();
  const isTaken = async () => (await moveOf(world)) !== before;
  await world.until('another command', isTaken, MAX_SUSPENDED_MILLISECONDS).catch(() => {});
  command.resume();
  await Promise.race([other.exited, command.exited]);
}

/** Kills or suspends a victim. Restarts a killed server, whereas the supervisors restart the other processes. */
export async function strike(world: SoakWorld, mover: Mover, victim: Victim, kill: Kill): Promise<void> {
  const isKill = kill.signal === 'SIGKILL';
  switch (victim) {
    case 'ingest': {
      const process = world.ingest[kill.replica];
      if (isKill) return await process.kill();
      const before = await claimsOf(world);
      // When the session of the suspended process expires, another process claims its partitions.
      return await whileSuspended(process, world, async () => (await claimsOf(world)) > before);
    }
    case 'projector':
    case 'ops': {
      const process = world[victim][kill.replica];
      if (isKill) return await process.kill();
      process.suspend();
      await delay(victim === 'ops' ? SUSPENDED_OPS_MILLISECONDS : SUSPENDED_PROJECTOR_MILLISECONDS);
      return process.resume();
    }
    case 'move':
      return await strikeMove(world, mover, kill.signal);
    case 'postgres':
      await world.postgres.kill();
      await delay(kill.downMilliseconds);
      return await world.postgres.restart();
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
