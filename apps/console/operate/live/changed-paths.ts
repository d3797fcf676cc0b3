import type { Status } from '../api.ts';

/** The parts of a status that show which data is out of date. */
interface Figures extends Pick<Status, 'dead_letters'> {
  replays: readonly unknown[];
}

/** The paths whose data changes with a new status. */
export function changedPaths(before: Figures | null, next: Figures): string[] {
  const hasReplays = (before?.replays.length ?? 0) > 0 || next.replays.length > 0;
  const hasDeadLetters = before?.dead_letters !== next.dead_letters;
  return [
    ...(hasReplays ? ['/replays', '/replays/{id}'] : []),
    ...(hasDeadLetters ? ['/dead-letters', '/dead-letters/summary'] : []),
  ];
}
