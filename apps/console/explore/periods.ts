import {
  addDays,
  type CalendarDate,
  DAYS_PER_WEEK,
  dateOf,
  mondayOf,
  sixMonthsBefore,
} from '@milepost/domain/calendar';

/** The days (UTC) that the service answers for, as a time sees them. */
export interface History {
  earliest: CalendarDate;
  /** The last day that is over. */
  yesterday: CalendarDate;
  today: CalendarDate;
}

/** What may be asked for at a time, in epoch milliseconds. */
export function historyAt(now: number): History {
  const today = dateOf(now);
  return { earliest: sixMonthsBefore(today), yesterday: addDays(today, -1), today };
}

/** The first Monday on or after the earliest day: weeks that begin before it are refused. */
function firstMonday({ earliest }: History): CalendarDate {
  return mondayOf(addDays(earliest, DAYS_PER_WEEK - 1));
}

/** What has to be asked to know each day of the history: days before its first whole week, and the weeks from there on. */
export function partsOf(history: History): { days: CalendarDate[]; mondays: CalendarDate[] } {
  const start = firstMonday(history);
  const days: CalendarDate[] = [];
  for (let day = history.earliest; day < start; day = addDays(day, 1)) days.push(day);
  const mondays: CalendarDate[] = [];
  for (let monday = start; monday <= history.yesterday; monday = addDays(monday, DAYS_PER_WEEK)) mondays.push(monday);
  return { days, mondays };
}

/** The Mondays of all weeks that a calendar of the history shows, the first and the last one as far as they go. */
export function calendarMondays({ earliest, today }: History): CalendarDate[] {
  const mondays: CalendarDate[] = [];
  for (let monday = mondayOf(earliest); monday <= today; monday = addDays(monday, DAYS_PER_WEEK)) mondays.push(monday);
  return mondays;
}

/** The seven days of a week. */
export function daysOfWeek(monday: CalendarDate): CalendarDate[] {
  return Array.from({ length: DAYS_PER_WEEK }, (_, index) => addDays(monday, index));
}
