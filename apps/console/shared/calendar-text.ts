const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const two = (number: number): string => String(number).padStart(2, '0');

/** A date such as `15 Jan 2025`, from `YYYY-MM-DD`. */
export function dateText(date: string): string {
  const [year, month, day] = date.split('-').map(Number);
  return `${day} ${MONTHS[(month ?? 1) - 1]} ${year}`;
}

/** The month of `YYYY-MM-DD`, such as `Jan`. */
export function monthText(date: string): string {
  return MONTHS[Number(date.slice(5, 7)) - 1] ?? '';
}

/** The weekday of `YYYY-MM-DD`, such as `Monday`. */
export function weekdayText(date: string): string {
  return WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? '';
}

/** A moment in UTC such as `15 Jan 2025, 08:00`, from epoch milliseconds. */
export function momentText(epochMilliseconds: number, withSeconds = false): string {
  const moment = new Date(epochMilliseconds);
  const date = `${moment.getUTCDate()} ${MONTHS[moment.getUTCMonth()]} ${moment.getUTCFullYear()}`;
  return `${date}, ${clockText(epochMilliseconds, withSeconds)}`;
}

/** The time of day in UTC, such as `08:00` or `08:00:05`. */
export function clockText(epochMilliseconds: number, withSeconds = true): string {
  const moment = new Date(epochMilliseconds);
  const minutes = `${two(moment.getUTCHours())}:${two(moment.getUTCMinutes())}`;
  return withSeconds ? `${minutes}:${two(moment.getUTCSeconds())}` : minutes;
}

const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

/** The same moment where the reader is, with the name of that time zone. */
export function localText(epochMilliseconds: number): string {
  return LOCAL.format(epochMilliseconds);
}
