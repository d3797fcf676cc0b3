import { printTable } from '../output.ts';
import { remaining } from '../progress.ts';
import { isAtRest } from './rest.ts';
import type { ListedReplay } from './view.ts';
import { percentDone, phaseWords } from './words.ts';

/** Which generation takes the place of which, as `trips: 3 -> 2, drivers: 4 -> 3`. */
export function generationChanges(
  live: ReadonlyMap<string, number>,
  wanted: readonly { projection: string; generation: number }[],
): string {
  return wanted
    .map(({ projection, generation }) => `${projection}: ${live.get(projection) ?? 'none'} -> ${generation}`)
    .join(', ');
}

const LONGEST_NAME = 16;

/** Without what stands behind, so that a list fits a terminal: `replay show` has all of it. */
function shortened(text: string): string {
  return text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME - 3)}...` : text;
}

function state(view: ListedReplay): string {
  const isRollBackUnderWay = view.kind === 'roll_back' && view.phase !== 'promoted';
  return isRollBackUnderWay ? `roll back: ${phaseWords(view)}` : phaseWords(view);
}

function found({ verification }: ListedReplay): string | null {
  if (verification === null) return null;
  return verification.equal
    ? 'equal'
    : `${verification.differences} differ${verification.expected ? ', expected' : ''}`;
}

function done(view: ListedReplay): string | null {
  if (isAtRest(view) && view.halted === null) return null;
  return `${percentDone(view)} %`;
}

/** Exported for tests. */
export const REPLAY_HEADER = ['id', 'projection', 'state', 'done', 'left', 'verified', 'by', 'asked for (UTC)'];

/** A replay as a row of the list. Exported for tests. */
export function replayRow(view: ListedReplay): (string | number | null)[] {
  return [
    view.id,
    shortened(view.projection),
    state(view),
    done(view),
    view.remaining_seconds === null ? null : remaining(view.remaining_seconds),
    found(view),
    shortened(view.requested_by),
    view.created_at.slice(0, 16).replace('T', ' '),
  ];
}

/** Writes replays as a table to stdout. */
export function printReplays(views: readonly ListedReplay[]): void {
  printTable(REPLAY_HEADER, views.map(replayRow));
}
