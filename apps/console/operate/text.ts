import { decimal, durationText, NONE } from '../shared/format.ts';

/** An integer with commas between thousands; a dash for null. */
export function integerText(value: number | null): string {
  return value === null ? NONE : decimal(value, 0);
}

/** A duration, with one decimal place below ten seconds. */
export function secondsText(seconds: number): string {
  return seconds < 10 ? `${decimal(seconds)} s` : durationText(seconds);
}

/** A value from the API in words, such as `catching up` for `catching_up`. */
export function wordsOf(value: string): string {
  return value.replaceAll('_', ' ');
}
