import { type CalendarDate, isMonday, mondayOf, parseCalendarDate } from '@milepost/domain/calendar';
import type { QueryString } from '@milepost/http';
import Type from 'typebox';
import { answerableDates } from './answerable-dates.ts';

const NAME = 'start_date';
const WRITTEN = 'a date written YYYY-MM-DD, such as 2026-01-31';

export const TripsStartDate = Type.String({
  format: 'date',
  description: 'Trips that start on this UTC date or later. Within the last 6 months.',
});
export const SummaryDay = Type.String({
  format: 'date',
  description: 'The summarised UTC day. Within the last 6 months, and before today.',
});
export const SummaryWeek = Type.String({
  format: 'date',
  description: 'The Monday of the summarised week. Within the last 6 months, and before today.',
});

/** A date from `earliest` to `latest`; null when it was rejected. */
function readDate(query: QueryString, earliest: CalendarDate, latest: CalendarDate): CalendarDate | null {
  if (!query.has(NAME)) {
    query.reject(NAME, `Required: ${WRITTEN}.`);
    return null;
  }
  const text = query.single(NAME);
  if (text === undefined) return null;
  const date = parseCalendarDate(text);
  if (date === null) {
    query.reject(NAME, `Must be ${WRITTEN}.`);
    return null;
  }
  // Dates of this form compare as texts.
  if (date < earliest || date > latest) query.reject(NAME, `Must be from ${earliest} to ${latest} (UTC).`);
  return date;
}

/** From which day to list trips: any of the last 6 months, today included. */
export function readTripsStartDate(query: QueryString, now: number): CalendarDate {
  const { earliest, today } = answerableDates(now);
  return readDate(query, earliest, today) ?? today;
}

/** The day to summarise: any of the last 6 months but today, which is not over. */
export function readSummaryDay(query: QueryString, now: number): CalendarDate {
  const { earliest, yesterday } = answerableDates(now);
  return readDate(query, earliest, yesterday) ?? yesterday;
}

/** The Monday of the week to summarise: any of the last 6 months but today. */
export function readSummaryWeek(query: QueryString, now: number): CalendarDate {
  const { earliest, yesterday } = answerableDates(now);
  const date = readDate(query, earliest, yesterday) ?? mondayOf(yesterday);
  if (!isMonday(date)) query.reject(NAME, `Must be a Monday, such as ${mondayOf(date)}.`);
  return date;
}
