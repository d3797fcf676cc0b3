import { getPriority, setPriority } from 'node:os';

/** That of the processes that bring trips in and fold them. */
export const PIPELINE_NICENESS = 5;

/**
 * Lowers the priority of the thread that calls, and of the threads it starts from then on, to `niceness` (1 to 19; the
 * higher, the sooner it gives way). One that is lower already stays there: it could not be raised without privileges.
 * Where threads have no priority of their own, outside of Linux, it is that of the process.
 *
 * Where a machine is short of processors, answers come before trips that come in (docs/adr/0016).
 */
export function lowerPriority(niceness: number): void {
  if (getPriority() < niceness) setPriority(niceness);
}
