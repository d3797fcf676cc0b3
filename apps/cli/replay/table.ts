import { printTable } from '../output.ts';
import { remaining } from '../progress.ts';
import { isAtRest } from './rest.ts';
import type { ListedReplay } from './view.ts';
import { percentDone, phaseWords } from './words.ts';

const MAX_NAME_CHARACTERS = 16;

/** Shortens a name so that the table fits in a terminal. */
function shortened(text: string): string {
  return text.length > MAX_NAME_CHARACTERS ? `${text.slice(0, MAX_NAME_CHARACTERS - 3)}...` : text;
}

/** Exported for tests. */
export const REPLAY_HEADER = ['id', 'projection', 'state', 'done', 'left', 'verified', 'by', 'requested (UTC)'];

/** Returns a replay as a row of the list. Exported for tests. */
export function replayRow(view: ListedReplay): (string | number | null)[] {
  const { verification, remaining_seconds } = view;
  const isOver = isAtRest(view) && view.halted === null;
  const outcome = verification?.equal
    ? 'equal'
    : verification && `${verification.differences} differ${verification.expected ? ', expected' : ''}`;
  return [
    view.id,
    shortened(view.projection),
    `${view.kind === 'roll_back' && view.phase !== 'promoted' ? 'rollback: ' : ''}${phaseWords(view)}`,
    isOver ? null : `${percentDone(view)}%`,
    remaining_seconds === null ? null : remaining(remaining_seconds),
    outcome,
    shortened(view.requested_by),
    view.created_at.slice(0, 16).replace('T', ' '),
  ];
}

/** Writes replays as a table to stdout. */
export function printReplays(views: readonly ListedReplay[]): void {
  printTable(REPLAY_HEADER, views.map(replayRow));
}
