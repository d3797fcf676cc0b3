/** A day of the UTC calendar, `YYYY-MM-DD`, from 0001-01-01 to 9999-12-31. Made by `parseCalendarDate` and `dateOf`. */
export type CalendarDate = `${number}-${number}-${number}`;

export const MILLISECONDS_PER_DAY = 86_400_000;
export const DAYS_PER_WEEK = 7;

const SHAPE = /^(\d{4})-(\d{2})-(\d{2})$/;
const MONTHS_OF_30_DAYS = [4, 6, 9, 11];

function daysOfMonth(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2) return isLeapYear ? 29 : 28;
  return MONTHS_OF_30_DAYS.includes(month) ? 30 : 31;
}

/** Whether `text` is a real day written as `YYYY-MM-DD`: no other spelling, no 30 February, no year 0000. */
export function isCalendarDate(text: string): text is CalendarDate {
  // By calendar rules: Date.parse takes 30 February for a day in March, and asking it back takes 20 times as long.
  const [, year = 0, month = 0, day = 0] = SHAPE.exec(text)?.map(Number) ?? [];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth(year, month);
}

/** The day that `text` names, or null when it names none (see `isCalendarDate`). */
export function parseCalendarDate(text: string): CalendarDate | null {
  return isCalendarDate(text) ? text : null;
}

/** The UTC day in which `epochMilliseconds` falls. Throws a RangeError outside the years 0001 to 9999. */
export function dateOf(epochMilliseconds: number): CalendarDate {
  const instant = new Date(epochMilliseconds);
  const text = Number.isNaN(instant.getTime()) ? '' : instant.toISOString().slice(0, 'YYYY-MM-DD'.length);
  if (!isCalendarDate(text)) {
    throw new RangeError(`The time ${epochMilliseconds} ms is outside the years 0001 to 9999.`);
  }
  return text;
}

/** The first millisecond of `date`, as epoch milliseconds. */
export function startOfDay(date: CalendarDate): number {
  return Date.parse(`${date}T00:00:00.000Z`);
}
