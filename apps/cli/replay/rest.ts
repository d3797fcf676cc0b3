import { operations } from '@milepost/operations/replays';
import { type Phase, RESTING_PHASES } from '@milepost/replay';
import { commandLine, laneOption } from '../client/command-line.ts';
import { replaceControlCharacters } from '../output.ts';
import type { ReplayView } from './view.ts';
import { phaseWords, replayName, verdict } from './words.ts';

/** Returns the commands that apply to a replay in its current state. */
export function nextCommands(view: ReplayView): { command: string; summary: string }[] {
  const commands = view.next.flatMap((action) => {
    const operation = operations.find(({ name }) => name === action.operation);
    return operation ? { command: commandLine(action, operation, view.lane), summary: operation.summary } : [];
  });
  const watch = {
    command: `milepost replay watch ${view.id}${laneOption(view.lane)}`,
    summary: 'Wait until it ends or needs an operator',
  };
  return isAtRest(view) ? commands : [watch, ...commands];
}

/** Whether a replay's state stays the same until an operator acts. */
export function isAtRest({ phase, halted }: Pick<ReplayView, 'phase' | 'halted'>): boolean {
  return halted !== null || RESTING_PHASES.includes(phase);
}

/** For each goal of a command with `--wait`, the phases in which the command succeeds. */
const GOALS = {
  built: ['waiting', 'promoted'],
  promoted: ['promoted'],
  cancelled: ['cancelled'],
  /** Dropping a live replay deletes only the generations that it replaced, while the replay itself stays promoted. */
  dropped: ['dropped', 'promoted'],
  ended: ['waiting', 'promoted', 'dropped'],
} as const satisfies Record<string, readonly Phase[]>;
export type Goal = keyof typeof GOALS;

/**
 * Whether a replay that is at rest (see `isAtRest`) has reached a command's goal. A replay that should be promoted but
 * is waiting for an operator has not reached any goal.
 */
export function isReached({ phase, promote }: ReplayView, goal: Goal): boolean {
  const goals: readonly Phase[] = GOALS[goal];
  return goals.includes(phase) && !(phase === 'waiting' && promote);
}

/** Returns a replay's state as a sentence, and the commands that currently apply. */
export function stateSentence(view: ReplayView): string {
  const { phase, halted, error, verification, live } = view;
  const detail = phase === 'waiting' && verification ? ` (${verdict(verification)})` : '';
  const cause = error === null ? '.' : `: ${error.replace(/\.?$/, '.')}`;
  const isPromoted = phase === 'promoted' && halted === null;
  const promoted = live ? 'is live' : 'has been replaced';
  const isFinal = isPromoted && live && !view.can_be_rolled_back;
  const next = nextCommands(view).map(({ command }) => `\`${command}\``);
  return replaceControlCharacters(
    [
      `${replayName(view)} ${isPromoted ? promoted : `is ${phaseWords(view)}`}${detail}${cause}`,
      ...(isFinal ? ['It can no longer be rolled back.'] : []),
      ...(next.length === 0 ? [] : [`Next: ${next.join(', ')}.`]),
    ].join(' '),
  );
}
