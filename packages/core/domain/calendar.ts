/**
 * A day in the UTC calendar, `YYYY-MM-DD`, from 0001-01-01 to 9999-12-31, as returned by `dateOf` or checked by
 * `isCalendarDate`.
 */
export type CalendarDate = `${number}-${number}-${number}`;

export const MILLISECONDS_PER_DAY = 86_400_000;
export const DAYS_PER_WEEK = 7;
/** 1970-01-01 was a Thursday. */
const EPOCH_DAY_FROM_MONDAY = 3;
const MONTHS_PER_YEAR = 12;
const MONTHS_OF_HISTORY = 6;

const SHAPE = /^(\d{4})-(\d{2})-(\d{2})$/;
const MONTHS_OF_30_DAYS = [4, 6, 9, 11];

function daysOfMonth(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2) return isLeapYear ? 29 : 28;
  return MONTHS_OF_30_DAYS.includes(month) ? 30 : 31;
}

/** Whether `text` is a real date in the form `YYYY-MM-DD`. Excludes other spellings, 30 February and the year 0000. */
export function isCalendarDate(text: string): text is CalendarDate {
  // Date.parse accepts 30 February as a day in March. Formatting the parsed day and comparing it with `text` would
  // detect this, but takes 20 times as long as the check below.
  const [, year = 0, month = 0, day = 0] = SHAPE.exec(text)?.map(Number) ?? [];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth(year, month);
}

/** The UTC day of a time. Throws a RangeError outside the years 0001 to 9999. */
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

/** Enough for about eleven years of days. A replay looks up the same few hundred days a million times. */
const MAX_CACHED_DATES = 4_000;
const dates = new Map<number, CalendarDate>();

/** The date that is `day` days after 1970-01-01. */
export function dateOfDay(day: number): CalendarDate {
  const known = dates.get(day);
  if (known !== undefined) return known;
  const date = dateOf(day * MILLISECONDS_PER_DAY);
  if (dates.size >= MAX_CACHED_DATES) dates.clear();
  dates.set(day, date);
  return date;
}

/**
 * The date `days` days after `date`, or before it when `days` is negative. Throws a RangeError outside the years 0001
 * to 9999.
 */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  return dateOf(startOfDay(date) + days * MILLISECONDS_PER_DAY);
}

/** The Monday on which the week containing `date` begins. */
export function mondayOf(date: CalendarDate): CalendarDate {
  return addDays(date, -daysSinceMonday(date));
}

export function isMonday(date: CalendarDate): boolean {
  return daysSinceMonday(date) === 0;
}

/**
 * The same day of the month six calendar months earlier. If that month is too short, its last day is used (31 August ->
 * 28 or 29 February). Requests cannot name an earlier date ("within the last 6 months").
 */
export function sixMonthsBefore(date: CalendarDate): CalendarDate {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const isSameYear = month > MONTHS_OF_HISTORY;
  const earlierYear = isSameYear ? year : year - 1;
  const earlierMonth = month - MONTHS_OF_HISTORY + (isSameYear ? 0 : MONTHS_PER_YEAR);
  const earlierDay = Math.min(day, daysOfMonth(earlierYear, earlierMonth));
  return dateOf(new Date(0).setUTCFullYear(earlierYear, earlierMonth - 1, earlierDay));
}

/**
 * Returns 0 for a Monday and 6 for a Sunday. The first remainder can be negative for a day before 1970, so the second
 * one brings it into the range 0 to 6.
 */
function daysSinceMonday(date: CalendarDate): number {
  const day = startOfDay(date) / MILLISECONDS_PER_DAY + EPOCH_DAY_FROM_MONDAY;
  return ((day % DAYS_PER_WEEK) + DAYS_PER_WEEK) % DAYS_PER_WEEK;
}
