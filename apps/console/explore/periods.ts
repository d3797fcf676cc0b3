import {
  addDays,
  type CalendarDate,
  DAYS_PER_WEEK,
  dateOf,
  mondayOf,
  sixMonthsBefore,
} from '@milepost/domain/calendar';

/** Returns the history at the time `now`, in epoch milliseconds. Yesterday is the last complete day. */
export function historyAt(now: number) {
  const today = dateOf(now);
  return { earliest: sixMonthsBefore(today), yesterday: addDays(today, -1), today };
}

/** The days (UTC) whose summaries the service can return. */
export type History = ReturnType<typeof historyAt>;

/** The first Monday on or after the earliest day. The service rejects weeks that start before that day. */
function firstMonday({ earliest }: History): CalendarDate {
  return mondayOf(addDays(earliest, DAYS_PER_WEEK - 1));
}

/**
 * The periods that cover each day of the history once: the days before the first whole week, and all weeks after them.
 */
export function requiredPeriods(history: History): { days: CalendarDate[]; mondays: CalendarDate[] } {
  const start = firstMonday(history);
  const days: CalendarDate[] = [];
  for (let day = history.earliest; day < start; day = addDays(day, 1)) days.push(day);
  const mondays: CalendarDate[] = [];
  for (let monday = start; monday <= history.yesterday; monday = addDays(monday, DAYS_PER_WEEK)) mondays.push(monday);
  return { days, mondays };
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
  const mondays: CalendarDate[] = [];
  const first = firstTravelDate !== null && firstTravelDate > earliest ? firstTravelDate : earliest;
  for (let monday = mondayOf(first); monday <= today; monday = addDays(monday, DAYS_PER_WEEK)) mondays.push(monday);
  return mondays;
}

/** The seven days of a week. */
export function daysOfWeek(monday: CalendarDate): CalendarDate[] {
  return Array.from({ length: DAYS_PER_WEEK }, (_, index) => addDays(monday, index));
}
