import { dateOf, MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';

/** The date `YYYY-MM-DD` of a day given by its number since 1970-01-01. */
export function dateOfDay(day: number): string {
  return dateOf(day * MILLISECONDS_PER_DAY);
}
