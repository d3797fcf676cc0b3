const DAY = 86_400_000;

/** The UTC date, `YYYY-MM-DD`, of a time in epoch milliseconds. */
export function utcDate(time: number): string {
  const date = new Date(time);
  const pad = (value: number, length: number) => String(value).padStart(length, '0');
  return `${pad(date.getUTCFullYear(), 4)}-${pad(date.getUTCMonth() + 1, 2)}-${pad(date.getUTCDate(), 2)}`;
}

/** The start of a date, in epoch milliseconds. */
export function startOf(date: string): number {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return Date.UTC(year, month - 1, day);
}

export function daysAfter(date: string, days: number): string {
  return utcDate(startOf(date) + days * DAY);
}

/** The Monday of a date's week, found by stepping back one day at a time. */
export function mondayBefore(date: string): string {
  let monday = date;
  while (new Date(startOf(monday)).getUTCDay() !== 1) monday = daysAfter(monday, -1);
  return monday;
}
