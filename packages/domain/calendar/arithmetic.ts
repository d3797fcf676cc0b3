import {
  type CalendarDate,
  DAYS_PER_WEEK,
  dateOf,
  isCalendarDate,
  MILLISECONDS_PER_DAY,
  startOfDay,
} from './calendar-date.ts';

const MONTHS_PER_YEAR = 12;
const MONTHS_OF_HISTORY = 6;
const EPOCH_DAY_FROM_MONDAY = 3; // 1970-01-01 was a Thursday

/** `date` moved by a whole number of days, back when negative. Throws a RangeError outside the years 0001 to 9999. */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  return dateOf(startOfDay(date) + days * MILLISECONDS_PER_DAY);
}

/** The Monday of the week (Monday to Sunday) that `date` belongs to. */
export function mondayOf(date: CalendarDate): CalendarDate {
  return addDays(date, -daysSinceMonday(date));
}

export function isMonday(date: CalendarDate): boolean {
  return daysSinceMonday(date) === 0;
}

/**
 * The same day of the month six calendar months earlier, or the last day of that month when it is shorter
 * (31 August -> 28 or 29 February): the oldest date the interface answers for ("within the last 6 months").
 */
export function sixMonthsBefore(date: CalendarDate): CalendarDate {
  const [year, month, day] = date.split('-').map(Number);
  const monthNumber = (year ?? 0) * MONTHS_PER_YEAR + (month ?? 0) - 1 - MONTHS_OF_HISTORY;
  const lastDay = addDays(firstOfMonth(monthNumber + 1), -1);
  const lastDayOfMonth = Number(lastDay.slice(-2));
  return addDays(lastDay, Math.min(day ?? 0, lastDayOfMonth) - lastDayOfMonth);
}

/** 0 on a Monday, 6 on a Sunday; the double remainder keeps days before 1970 in that range. */
function daysSinceMonday(date: CalendarDate): number {
  const day = startOfDay(date) / MILLISECONDS_PER_DAY + EPOCH_DAY_FROM_MONDAY;
  return ((day % DAYS_PER_WEEK) + DAYS_PER_WEEK) % DAYS_PER_WEEK;
}

/** The first day of a month counted from January of the year 0. */
function firstOfMonth(monthNumber: number): CalendarDate {
  const year = String(Math.floor(monthNumber / MONTHS_PER_YEAR)).padStart(4, '0');
  const month = String((monthNumber % MONTHS_PER_YEAR) + 1).padStart(2, '0');
  const text = `${year}-${month}-01`;
  if (!isCalendarDate(text)) throw new RangeError(`The month ${year}-${month} is outside the years 0001 to 9999.`);
  return text;
}
