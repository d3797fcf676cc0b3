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

/** SQL of the UTC date of a trip's `trip_start_time`. */
export const DAY_OF_START = `(date '1970-01-01' + (trip_start_time / ${MILLISECONDS_PER_DAY})::integer)`;
