import type { answerableDates } from '@milepost/domain/answer-times';
import { addDays, type CalendarDate, DAYS_PER_WEEK, mondayOf } from '@milepost/domain/calendar';

/** The days (UTC) whose summaries the service can return. */
export type History = ReturnType<typeof answerableDates>;

/** The dates from `first` to `last`, in steps of some days. */
function datesBetween(first: CalendarDate, last: CalendarDate, stepDays: number): CalendarDate[] {
  const dates: CalendarDate[] = [];
  for (let date = first; date <= last; date = addDays(date, stepDays)) dates.push(date);
  return dates;
}

/** The seven days of a week. */
export function daysOfWeek(monday: CalendarDate): CalendarDate[] {
  return datesBetween(monday, addDays(monday, DAYS_PER_WEEK - 1), 1);
}

/**
 * The periods that cover each day of the history once: the days before the first whole week, and all weeks after them.
 */
export function requiredPeriods({ earliest, yesterday }: History): { days: CalendarDate[]; mondays: CalendarDate[] } {
  // The service rejects a week that starts before the earliest day.
  const firstMonday = mondayOf(addDays(earliest, DAYS_PER_WEEK - 1));
  return {
    days: datesBetween(earliest, addDays(firstMonday, -1), 1),
    mondays: datesBetween(firstMonday, yesterday, DAYS_PER_WEEK),
  };
}

/**
 * The periods to load for a driver: the latest week, and all periods that end on or after the first day with trips.
 *
 * @param firstTravelDate null until it is known
 */
export function periodsToLoad(history: History, firstTravelDate: string | null): ReturnType<typeof requiredPeriods> {
  const { days, mondays } = requiredPeriods(history);
  const hasDriven = (last: CalendarDate) => firstTravelDate !== null && last >= firstTravelDate;
  return {
    days: days.filter(hasDriven),
    mondays: mondays.filter((monday) => monday === mondays.at(-1) || hasDriven(addDays(monday, DAYS_PER_WEEK - 1))),
  };
}

/**
 * The Mondays of all weeks in a driver's calendar, up to the current week.
 *
 * @param firstTravelDate the calendar starts with the week of this date, or with the history's earliest week if that
 *   is later
 */
export function calendarMondays({ earliest, today }: History, firstTravelDate: CalendarDate | null): CalendarDate[] {
  const first = firstTravelDate !== null && firstTravelDate > earliest ? firstTravelDate : earliest;
  return datesBetween(mondayOf(first), today, DAYS_PER_WEEK);
}
