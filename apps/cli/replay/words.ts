import { FIRST_LANE } from '@milepost/postgres/lanes';
import type { Phase } from '@milepost/replay';
import { compact, remaining } from '../progress.ts';
import type { ReplayView } from './view.ts';

const PHASE_WORDS: Partial<Record<Phase, string>> = {
  indexing: 'building indexes',
  catching_up: 'catching up',
  waiting: 'waiting to be promoted',
};

/** Returns the state of a replay in words. */
export function phaseWords({
  phase,
  halted,
  kind,
  live,
}: Pick<ReplayView, 'phase' | 'halted' | 'kind' | 'live'>): string {
  const words = PHASE_WORDS[phase] ?? phase;
  if (halted !== null) return `${halted} while ${words}`;
  if (phase !== 'promoted') return words;
  return `${kind === 'roll_back' ? 'rolled back, ' : ''}${live ? 'live' : 'replaced'}`;
}

/** Returns the name of a replay, with the projections that it covers. */
export function replayName({ id, kind, projection }: Pick<ReplayView, 'id' | 'kind' | 'projection'>): string {
  const projections = projection === 'all' ? 'all projections' : projection;
  return `${kind === 'roll_back' ? 'Rollback' : 'Replay'} ${id} of ${projections}`;
}

/** Returns the result of a comparison in words. */
export function verdict(
  { equal, expected, differences }: { equal: boolean; expected: boolean; differences: number },
  where = '',
): string {
  if (equal) return 'equal';
  const differ = `${differences === 1 ? '1 row differs' : `${differences} rows differ`}${where}`;
  return expected ? `${differ}, as expected from a changed version` : `${differ}, which no version change explains`;
}

function throttleSetting({ throttle }: Pick<ReplayView, 'throttle'>): string {
  return typeof throttle === 'number' ? `at most ${throttle} trips/s` : throttle;
}

/** Returns the throttle in words, and why an automatic throttle slows the replay down. */
export function throttleWords({ throttle, throttled_by }: Pick<ReplayView, 'throttle' | 'throttled_by'>): string {
  const setting = throttleSetting({ throttle });
  return throttled_by === null ? setting : `${setting}, slowed down because ${throttled_by}`;
}

/** Returns the remaining time with its range, or null while there is no measurement. */
export function remainingWords({
  remaining_seconds,
  remaining_seconds_range: range,
}: Pick<ReplayView, 'remaining_seconds' | 'remaining_seconds_range'>): string | null {
  if (remaining_seconds === null) return null;
  const left = `${remaining(remaining_seconds)} left`;
  return range === null ? left : `${left} (${remaining(range[0])} to ${remaining(range[1])})`;
}

/** Returns the finished percentage as an integer, which is below 100 before the end. */
export function percentDone({ position, target }: Pick<ReplayView, 'position' | 'target'>): number {
  return target <= 0 ? 100 : Math.floor((Math.min(position, target) / target) * 100);
}

/** Replaces control characters other than line breaks, which could control the terminal. */
export function replaceControlCharacters(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, '?');
}

/** Mentions the lane unless it is the first, as `laneOption` does, because replays in several lanes share ids. */
function idWords({ id, lane }: Pick<ReplayView, 'id' | 'lane'>): string {
  return lane === FIRST_LANE ? `Replay ${id}` : `Replay ${id} in lane ${lane}`;
}

const hasPosition = ({ phase }: ReplayView) => phase === 'filling' || phase === 'catching_up';
const BAR_CHARACTERS = 24;

/**
 * Returns a running replay as one line for a terminal of `columns` columns, without its less important parts if
 * necessary.
 */
export function progressLine(view: ReplayView, columns: number = Number.POSITIVE_INFINITY): string {
  const { position, target, trips_per_second, remaining_seconds } = view;
  const state = `${idWords(view)} ${phaseWords(view)}`;
  if (!hasPosition(view)) return state;
  const percent = percentDone(view);
  const done = Math.round((percent / 100) * BAR_CHARACTERS);
  const bar = `${state} ${'█'.repeat(done)}${'░'.repeat(BAR_CHARACTERS - done)} ${percent} %`;
  const reached = `position ${compact(position)} of ${compact(target)}`;
  const rate = trips_per_second === null ? null : `${compact(trips_per_second)} trips/s`;
  const left = remaining_seconds === null ? null : `${remaining(remaining_seconds)} left`;
  const throttle = view.throttle === 'off' ? null : `throttle ${throttleWords(view)}`;
  const lines = [
    [bar, reached, rate, remainingWords(view), throttle],
    [bar, reached, rate, left],
    [`${state} ${percent} %`, rate, left],
    [`${state} ${percent} %`],
  ].map((parts) => parts.filter((part) => part !== null).join(', '));
  // Some terminals wrap a line that fills their whole width.
  return lines.find((line) => line.length < columns) ?? lines.at(-1) ?? '';
}

/** Returns a running replay as a line for a pipe, which is written when the phase changes. */
export function phaseLine(view: ReplayView): string {
  const reached = hasPosition(view) ? `, position ${view.position} of ${view.target}` : '';
  return `${idWords(view)}: ${phaseWords(view)}${reached}`;
}
