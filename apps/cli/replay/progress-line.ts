import { compact, remaining } from '../output/progress.ts';
import type { ReplayView } from './view.ts';
import { percentDone, phaseWords, remainingWords, throttleSetting, throttleWords } from './words.ts';

const WIDTH = 24;

/** The line whole, and then with less and less, the least important left out first. */
function forms(view: ReplayView): string[] {
  const { id, phase, position, target, trips_per_second, remaining_seconds } = view;
  const what = `Replay ${id} ${phaseWords(view)}`;
  if (phase !== 'filling' && phase !== 'catching_up') return [what];
  const percent = percentDone(view);
  const done = Math.round((percent / 100) * WIDTH);
  const bar = `${what} ${'█'.repeat(done)}${'░'.repeat(WIDTH - done)} ${percent} %`;
  const place = `position ${compact(position)} of ${compact(target)}`;
  const rate = trips_per_second === null ? null : `${compact(trips_per_second)} trips/s`;
  const range = remainingWords(view);
  const left = remaining_seconds === null ? null : `${remaining(remaining_seconds)} left`;
  const isThrottled = view.throttle !== 'off';
  const short = `${what} ${percent} %`;
  return [
    [bar, place, rate, range, isThrottled ? `throttle ${throttleWords(view)}` : null],
    [bar, place, rate, range, isThrottled ? `throttle ${throttleSetting(view)}` : null],
    [bar, place, rate, range],
    [bar, place, rate, left],
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
  const place = phase === 'filling' || phase === 'catching_up' ? `, position ${position} of ${target}` : '';
  return `Replay ${id}: ${phaseWords(view)}${place}`;
}
