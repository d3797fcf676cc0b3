import { operations } from '@milepost/operations/replays';
import { FIRST_LANE } from '@milepost/postgres/lanes';
import type { Phase } from '@milepost/replay';
import { commandLine, laneOption } from '../client/command-line.ts';
import { replaceControlCharacters } from '../output.ts';
import { compact, remaining } from '../progress.ts';
import { isAtRest, type ListedReplay, type ReplayView } from './view.ts';

const PHASE_WORDS: Partial<Record<Phase, string>> = {
  indexing: 'building indexes',
  catching_up: 'catching up',
  waiting: 'waiting to be promoted',
};

/** Returns a replay's state in words. */
export function phaseWords({ phase, halted, kind, live }: ListedReplay): string {
  const words = PHASE_WORDS[phase] ?? phase;
  if (halted !== null) return `${halted} while ${words}`;
  if (phase !== 'promoted') return words;
  return `${kind === 'roll_back' ? 'rolled back, ' : ''}${live ? 'live' : 'replaced'}`;
}

/** Returns a replay's name, with the projections that it covers. */
export function replayName({ id, kind, projection }: ListedReplay): string {
  const projections = projection === 'all' ? 'all projections' : projection;
  return `${kind === 'roll_back' ? 'Rollback' : 'Replay'} ${id} of ${projections}`;
}

/** Describes the result of a comparison in words. */
export function verdict({ equal, expected, differences }: NonNullable<ListedReplay['verification']>): string {
  if (equal) return 'equal';
  const differ = differences === 1 ? '1 row differs' : `${differences} rows differ`;
  return expected ? `${differ}, as expected from a changed version` : `${differ}, which no version change explains`;
}

/** Describes the throttle in words, with the reason if an automatic throttle is slowing the replay down. */
export function throttleWords({ throttle, throttled_by }: ListedReplay): string {
  const setting = typeof throttle === 'number' ? `at most ${throttle} trips/s` : throttle;
  return throttled_by === null ? setting : `${setting}, slowed down because ${throttled_by}`;
}

/** Returns the remaining time with its range, or null if there is no measurement yet. */
export function remainingWords({ remaining_seconds, remaining_seconds_range: range }: ListedReplay): string | null {
  if (remaining_seconds === null) return null;
  const left = `${remaining(remaining_seconds)} left`;
  return range === null ? left : `${left} (${remaining(range[0])} to ${remaining(range[1])})`;
}

/** Returns the completed percentage as an integer, which stays below 100 until the end. */
export function percentDone({ position, target }: Pick<ReplayView, 'position' | 'target'>): number {
  return target <= 0 ? 100 : Math.floor((Math.min(position, target) / target) * 100);
}

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

/** Returns a replay's state as a sentence, and the commands that currently apply. */
export function stateSentence(view: ReplayView): string {
  const { phase, halted, error, verification, live } = view;
  const detail = phase === 'waiting' && verification ? ` (${verdict(verification)})` : '';
  const cause = error === null ? '.' : `: ${error.replace(/\.?$/, '.')}`;
  const isPromoted = phase === 'promoted' && halted === null;
  const promoted = live ? 'is live' : 'has been replaced';
  const sentences = [`${replayName(view)} ${isPromoted ? promoted : `is ${phaseWords(view)}`}${detail}${cause}`];
  if (isPromoted && live && !view.can_be_rolled_back) sentences.push('It can no longer be rolled back.');
  const next = nextCommands(view).map(({ command }) => `\`${command}\``);
  if (next.length > 0) sentences.push(`Next: ${next.join(', ')}.`);
  return replaceControlCharacters(sentences.join(' '));
}

/** Mentions the lane unless it is the first, as `laneOption` does, because replay ids are not unique across lanes. */
function idWords({ id, lane }: Pick<ReplayView, 'id' | 'lane'>): string {
  return lane === FIRST_LANE ? `Replay ${id}` : `Replay ${id} in lane ${lane}`;
}

const hasPosition = ({ phase }: ReplayView) => phase === 'filling' || phase === 'catching_up';
const BAR_CHARACTERS = 24;

/** Returns a running replay as one line for a terminal. If `columns` are too few, less important parts are omitted. */
export function progressLine(view: ReplayView, columns: number = Number.POSITIVE_INFINITY): string {
  const { position, target, trips_per_second, remaining_seconds } = view;
  const state = `${idWords(view)} ${phaseWords(view)}`;
  if (!hasPosition(view)) return state;
  const percent = percentDone(view);
  const done = Math.round((percent / 100) * BAR_CHARACTERS);
  const bar = `${state} ${'█'.repeat(done)}${'░'.repeat(BAR_CHARACTERS - done)} ${percent}%`;
  const reached = `position ${compact(position)} of ${compact(target)}`;
  const rate = trips_per_second === null ? null : `${compact(trips_per_second)} trips/s`;
  const left = remaining_seconds === null ? null : `${remaining(remaining_seconds)} left`;
  const throttle = view.throttle === 'off' ? null : `throttle ${throttleWords(view)}`;
  const lines = [
    [bar, reached, rate, remainingWords(view), throttle],
    [bar, reached, rate, left],
    [`${state} ${percent}%`, rate, left],
    [`${state} ${percent}%`],
  ].map((parts) => parts.filter((part) => part !== null).join(', '));
  // Some terminals wrap a line that fills their whole width.
  return lines.find((line) => line.length < columns) ?? lines.at(-1) ?? '';
}

/** Returns a running replay as a line for a pipe. Such a line is written when the phase changes. */
export function phaseLine(view: ReplayView): string {
  const reached = hasPosition(view) ? `, position ${view.position} of ${view.target}` : '';
  return `${idWords(view)}: ${phaseWords(view)}${reached}`;
}

/** Returns the changes to the live generations as text, such as `trips: 3 -> 2, drivers: 4 -> 3`. */
export function generationChanges(
  projections: readonly { name: string; generations: readonly { generation: number; state: string }[] }[],
  wanted: readonly { projection: string; generation: number }[],
): string {
  const changes = wanted.map(({ projection, generation }) => {
    const { generations = [] } = projections.find(({ name }) => name === projection) ?? {};
    const live = generations.find(({ state }) => state === 'live');
    return `${projection}: ${live?.generation ?? 'none'} -> ${generation}`;
  });
  return changes.join(', ');
}
