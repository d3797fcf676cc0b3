/** One of the API's times as views show it, such as `5 Jan 2025, 08:00:05`, or a dash for null. */
export function shownTime(time: string | Date | null): string {
  if (time === null) return '–';
  const [, day, rest, clock] = /^\w+, (\d+) (\w+ \d+) ([\d:]+) GMT$/.exec(new Date(time).toUTCString()) ?? [];
  return `${Number(day)} ${rest}, ${clock}`;
}

/** One of the API's dates as views show it, such as `5 Jan 2025`. */
export function shownDate(date: string): string {
  return shownTime(`${date}T00:00:00Z`).replace(/, .*/, '');
}

/** An integer as views show it, with commas between thousands, or a dash for null. */
export function shownInteger(value: number | null): string {
  return value === null ? '–' : String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** The number of rows that each of two read tables contains for a day. */
interface Day {
  day: string | null;
  before: number;
  after: number;
}

/** The rows, without the header, in the table of the days on which two read tables differ. */
export function shownDays(days: readonly Day[]): string[][] {
  return days.map(({ day, before, after }) => {
    const change = `${after > before ? '+' : '−'}${shownInteger(Math.abs(after - before))}`;
    return [
      day === null ? 'no day' : shownDate(day),
      shownInteger(before),
      shownInteger(after),
      before === after ? 'values differ' : change,
    ];
  });
}
