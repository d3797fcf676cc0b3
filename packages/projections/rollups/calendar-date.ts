import { dateOf, MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';

/** Days of some years; a replay asks for the same few hundred a million times. */
const MOST_KEPT = 4_000;
const dates = new Map<number, string>();

/** The date `YYYY-MM-DD` of a day given by its number since 1970-01-01. */
export function dateOfDay(day: number): string {
  let date = dates.get(day);
  if (date === undefined) {
    date = dateOf(day * MILLISECONDS_PER_DAY);
    if (dates.size >= MOST_KEPT) dates.clear();
    dates.set(day, date);
  }
  return date;
}

/** SQL of the date of a day given by its number since 1970-01-01. */
export function dateOfNumber(day: string): string {
  return `(date '1970-01-01' + ${day})`;
}

/** SQL of a date's number since 1970-01-01. */
export function numberOfDay(date: string): string {
  return `(${date} - date '1970-01-01')`;
}

/** SQL of the UTC date of a trip's `trip_start_time`. */
export const DAY_OF_START = dateOfNumber(`(trip_start_time / ${MILLISECONDS_PER_DAY})::integer`);

/** SQL of the Monday of a day's week, both numbers since 1970-01-01, which was a Thursday. */
export function mondayOfDay(day: string): string {
  return `(${day} - (${day} + 3) % 7)`;
}
