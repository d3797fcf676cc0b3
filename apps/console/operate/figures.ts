import { decimal, durationText, NONE } from '../shared/format.ts';

/** A whole number; a dash where it is not known. */
export function whole(value: number | null): string {
  return value === null ? NONE : decimal(value, 0);
}

/** A time that something takes or is old: with a decimal below ten seconds. */
export function secondsText(seconds: number): string {
  return seconds < 10 ? `${decimal(seconds)} s` : durationText(seconds);
}

/** A number and its noun: `1 row`, `2 rows`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${decimal(value, 0)} ${value === 1 ? one : many}`;
}

/** A word of the API for people: `catching_up` as `catching up`. */
export function inWords(word: string): string {
  return word.replaceAll('_', ' ');
}
