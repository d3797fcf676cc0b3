import { isCalendarDate } from '@milepost/domain/calendar';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * The maximum distance of a `Date` from the epoch, in either direction. A record may contain timestamps up to
 * 9007199254740991.
 */
const MAX_DATE_MILLISECONDS = 8.64e15;

const two = (number: number): string => String(number).padStart(2, '0');

function isDate(epochMilliseconds: number): boolean {
  return Math.abs(epochMilliseconds) <= MAX_DATE_MILLISECONDS;
}

/** A date such as `15 Jan 2025`, from `YYYY-MM-DD`. Returns any other string unchanged. */
export function dateText(date: string): string {
  if (!isCalendarDate(date)) return date;
  const [year, month = 0, day] = date.split('-').map(Number);
  return `${day} ${MONTHS[month - 1]} ${year}`;
}

/**
 * The month to show above a calendar week: the month that begins in the week. If none begins in it, the first week
 * shows the month of its Monday, and every other week shows ''.
 */
export function monthOfWeek(days: readonly string[], isFirst: boolean): string {
  const day = days.find((each) => each.endsWith('-01')) ?? (isFirst ? days[0] : undefined);
  return day === undefined ? '' : (MONTHS[Number(day.slice(5, 7)) - 1] ?? '');
}

/** A moment in UTC such as `15 Jan 2025, 08:00`. A moment outside the range of `Date` is shown as its milliseconds. */
export function momentText(epochMilliseconds: number, withSeconds = false): string {
  if (!isDate(epochMilliseconds)) return clockText(epochMilliseconds);
  const moment = new Date(epochMilliseconds);
  const date = `${moment.getUTCDate()} ${MONTHS[moment.getUTCMonth()]} ${moment.getUTCFullYear()}`;
  return `${date}, ${clockText(epochMilliseconds, withSeconds)}`;
}

/**
 * The time of day in UTC, such as `08:00` or `08:00:05`. Outside the range of `Date`, the milliseconds since the epoch.
 */
export function clockText(epochMilliseconds: number, withSeconds = true): string {
  if (!isDate(epochMilliseconds)) return `${epochMilliseconds} ms`;
  const moment = new Date(epochMilliseconds);
  const minutes = `${two(moment.getUTCHours())}:${two(moment.getUTCMinutes())}`;
  return withSeconds ? `${minutes}:${two(moment.getUTCSeconds())}` : minutes;
}

/**
 * A moment as ISO 8601 such as `2025-01-15T08:00:00.000Z`. Null outside the years 0001 to 9999, because HTML and GPX
 * write other years differently.
 */
export function isoText(epochMilliseconds: number): string | null {
  if (!isDate(epochMilliseconds)) return null;
  const text = new Date(epochMilliseconds).toISOString();
  return isCalendarDate(text.slice(0, 10)) ? text : null;
}

const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

/**
 * A moment in the reader's time zone, with the zone's name. Outside the range of `Date`, the same text as `momentText`.
 */
export function localText(epochMilliseconds: number): string {
  return isDate(epochMilliseconds) ? LOCAL.format(epochMilliseconds) : momentText(epochMilliseconds);
}
