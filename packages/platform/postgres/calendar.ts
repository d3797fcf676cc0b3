const MILLISECONDS_PER_DAY = 86_400_000;

// A day number counts days since 1970-01-01, a Thursday. Times are in epoch milliseconds and never before 1970.

/** Returns an SQL expression for the day number of a time. */
export function dayOfTime(time: string): string {
  return `(${time} / ${MILLISECONDS_PER_DAY})`;
}

/** Returns an SQL expression for the first millisecond of the day with a given day number. */
export function startOfDayNumber(day: string): string {
  return `(${day} * ${MILLISECONDS_PER_DAY}::bigint)`;
}

/** Returns an SQL expression that converts a day number to a date. */
export function dateOfDayNumber(day: string): string {
  return `(date '1970-01-01' + ${day})`;
}

/** Returns an SQL expression that converts a date to a day number. */
export function dayNumberOf(date: string): string {
  return `(${date} - date '1970-01-01')`;
}

/** Returns an SQL expression for the day number of the Monday of the week that contains a day. */
export function mondayOfDayNumber(day: string): string {
  return `(${day} - (${day} + 3) % 7)`;
}
