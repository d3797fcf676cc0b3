const MILLISECONDS_PER_DAY = 86_400_000;

/** The date `YYYY-MM-DD` of a day given by its number since 1970-01-01. */
export function dateOfDay(day: number): string {
  return new Date(day * MILLISECONDS_PER_DAY).toISOString().slice(0, 10);
}
