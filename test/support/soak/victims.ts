import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../faults/patience.ts';
import type { Mover } from './operate.ts';
import type { Kill, Victim } from './plan.ts';
import { claimsOf, moveOf } from './progress.ts';
import type { Supervised } from './supervised.ts';
import type { SoakWorld } from './world.ts';

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
