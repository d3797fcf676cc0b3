import type { Phase } from '@milepost/replay';
import { compact, remaining } from '../progress.ts';
import type { ReplayView } from './view.ts';

const PHASE_WORDS: Readonly<Record<Phase, string>> = {
  filling: 'filling',
  indexing: 'building indexes',
  catching_up: 'catching up',
  verifying: 'verifying',
  waiting: 'waiting for you',
  promoting: 'promoting',
  cancelling: 'cancelling',
  dropping: 'dropping',
  promoted: 'promoted',
  cancelled: 'cancelled',
  dropped: 'dropped',
};

/** What has become of what a replay made live: it is so still, or another took its place since. */
function promotedWords({ kind, live }: Pick<ReplayView, 'kind' | 'live'>): string {
  if (kind === 'roll_back') return live ? 'rolled back, live' : 'rolled back, replaced';
  return live ? 'live' : 'replaced';
}

/** What a replay does at this moment, in words. */
export function phaseWords(view: Pick<ReplayView, 'phase' | 'halted' | 'kind' | 'live'>): string {
  const { phase, halted } = view;
  if (phase === 'promoted' && halted === null) return promotedWords(view);
  return halted === null ? PHASE_WORDS[phase] : `${halted} while ${PHASE_WORDS[phase]}`;
}

/** How a throttle is set. */
function throttleSetting({ throttle }: Pick<ReplayView, 'throttle'>): string {
  return typeof throttle === 'number' ? `at most ${throttle} trips/s` : throttle;
}

/** How a throttle stands, and why it holds back if it does. */
export function throttleWords({ throttle, throttled_by }: Pick<ReplayView, 'throttle' | 'throttled_by'>): string {
  const wanted = throttleSetting({ throttle });
  return throttled_by === null ? wanted : `${wanted}, holds back: ${throttled_by}`;
}

/** The time left with the range it may well lie in; null while nothing is measured. */
export function remainingWords({
  remaining_seconds,
  remaining_seconds_range: range,
}: Pick<ReplayView, 'remaining_seconds' | 'remaining_seconds_range'>): string | null {
  if (remaining_seconds === null) return null;
  const left = `${remaining(remaining_seconds)} left`;
  return range === null ? left : `${left} (${remaining(range[0])} to ${remaining(range[1])})`;
}

/** The share that is done, in whole percent; never 100 before the end is reached. */
export function percentDone({ position, target }: Pick<ReplayView, 'position' | 'target'>): number {
  return target <= 0 ? 100 : Math.floor((Math.min(position, target) / target) * 100);
}

/** Text of others that does nothing to a terminal. */
export function harmless(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, '?');
}

const WIDTH = 24;

/** The line whole, and then with less and less, the least important left out first. */
function forms(view: ReplayView): string[] {
  const { id, phase, position, target, trips_per_second, remaining_seconds } = view;
  const what = `Replay ${id} ${phaseWords(view)}`;
  if (phase !== 'filling' && phase !== 'catching_up') return [what];
  const percent = percentDone(view);
  const done = Math.round((percent / 100) * WIDTH);
  const bar = `${what} ${'█'.repeat(done)}${'░'.repeat(WIDTH - done)} ${percent} %`;
  const reached = `position ${compact(position)} of ${compact(target)}`;
  const rate = trips_per_second === null ? null : `${compact(trips_per_second)} trips/s`;
  const range = remainingWords(view);
  const left = remaining_seconds === null ? null : `${remaining(remaining_seconds)} left`;
  const isThrottled = view.throttle !== 'off';
  const short = `${what} ${percent} %`;
  return [
    [bar, reached, rate, range, isThrottled ? `throttle ${throttleWords(view)}` : null],
    [bar, reached, rate, range, isThrottled ? `throttle ${throttleSetting(view)}` : null],
    [bar, reached, rate, range],
    [bar, reached, rate, left],
    [bar, rate, left],
    [short, rate, left],
    [short, left],
    [short],
  ].map((parts) => parts.filter((part) => part !== null).join(', '));
}

/**
 * A replay on its way as one line of a terminal, with a bar where there is a way to measure. What does not fit into
 * `columns` is left out, never cut.
 */
export function progressLine(view: ReplayView, columns: number = Number.POSITIVE_INFINITY): string {
  const all = forms(view);
  // A line as long as the terminal is wide makes some of them go on to the next line.
  return all.find((form) => form.length < columns) ?? all.at(-1) ?? '';
}

/** The same as a plain line for a pipe, written when the phase changes. */
export function phaseLine(view: ReplayView): string {
  const { id, phase, position, target } = view;
  const reached = phase === 'filling' || phase === 'catching_up' ? `, position ${position} of ${target}` : '';
  return `Replay ${id}: ${phaseWords(view)}${reached}`;
}
