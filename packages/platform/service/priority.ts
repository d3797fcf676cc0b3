import { getPriority, setPriority } from 'node:os';

/** The niceness of the ingest and projector processes. */
export const PIPELINE_NICENESS = 5;

/**
 * Lowers the priority of the calling thread, and of the threads that it starts later, to `niceness` (1 to 19; a higher
 * number is a lower priority). A thread whose priority is already lower keeps its priority, because raising a priority
 * needs privileges. On systems other than Linux, threads have no priority of their own, so this sets the priority of
 * the process.
 *
 * When a machine lacks processor time, responses have priority over new trips (docs/adr/0016).
 */
export function lowerPriority(niceness: number): void {
  if (getPriority() < niceness) setPriority(niceness);
}
