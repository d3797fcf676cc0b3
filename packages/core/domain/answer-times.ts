import { addDays, type CalendarDate, dateOf, MILLISECONDS_PER_DAY, sixMonthsBefore } from './calendar.ts';

/** A trip becomes visible this long after it ends. */
const PROCESSING_MILLISECONDS = 4 * 60 * 60 * 1000;

/** A trip is visible at `now` only if it ended at the returned time or earlier. Both are epoch milliseconds. */
export function latestVisibleEnd(now: number): number {
  return now - PROCESSING_MILLISECONDS;
}

/** The UTC dates that requests and exports may name. */
interface AnswerableDates {
  /** The first date in the last 6 months. */
  earliest: CalendarDate;
  /** The last complete date. */
  yesterday: CalendarDate;
  today: CalendarDate;
}

/** The dates are computed once a day, because computing them takes 2.5% of a request's time. */
let made: { day: number; dates: AnswerableDates } | null = null;

/** Returns the dates that requests and exports may name at `now` (epoch milliseconds). */
export function answerableDates(now: number): AnswerableDates {
  const day = Math.floor(now / MILLISECONDS_PER_DAY);
  if (made?.day !== day) {
    const today = dateOf(now);
    made = { day, dates: { earliest: sixMonthsBefore(today), yesterday: addDays(today, -1), today } };
  }
  return made.dates;
}
