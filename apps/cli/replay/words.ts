import type { Phase } from '@milepost/replay';
import { remaining } from '../output/progress.ts';
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
export function throttleSetting({ throttle }: Pick<ReplayView, 'throttle'>): string {
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

/** The share of the way that is done, in whole percent; never 100 before the end is reached. */
export function percentDone({ position, target }: Pick<ReplayView, 'position' | 'target'>): number {
  return target <= 0 ? 100 : Math.floor((Math.min(position, target) / target) * 100);
}

/** Text of others that does nothing to a terminal. */
export function harmless(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, '?');
}
