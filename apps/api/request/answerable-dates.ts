import { addDays, type CalendarDate, dateOf, MILLISECONDS_PER_DAY, sixMonthsBefore } from '@milepost/domain/calendar';

/** The dates (UTC) that requests may name. */
export interface AnswerableDates {
  /** The first of the last 6 months. */
  earliest: CalendarDate;
  /** The last that is over. */
  yesterday: CalendarDate;
  today: CalendarDate;
}

/** Made once a day: to make them takes a fortieth of a request. */
let made: { day: number; dates: AnswerableDates } | null = null;

/** What may be asked for at a time, in epoch milliseconds. */
export function answerableDates(now: number): AnswerableDates {
  const day = Math.floor(now / MILLISECONDS_PER_DAY);
  if (made?.day !== day) {
    const today = dateOf(now);
    made = { day, dates: { earliest: sixMonthsBefore(today), yesterday: addDays(today, -1), today } };
  }
  return made.dates;
}
