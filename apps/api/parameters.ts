import { answerableDates } from '@milepost/domain/answer-times';
import { addDays, type CalendarDate, isCalendarDate, isMonday, mondayOf } from '@milepost/domain/calendar';
import type { Vocabulary } from '@milepost/validation';
import Type, { type TSchemaOptions } from 'typebox';

/**
 * The driver ids that records may contain (packages/core/domain/records). With the `u` flag, the limit counts code
 * points instead of UTF-16 units.
 */
export const DRIVER_ID = /^[^\p{Cc}\p{Cs}]{1,256}$/u;
/** PostgreSQL cannot store U+0000 in a `text` value, so a query that contains it would fail. */
export const TRACKING_ID = /^[^\0\p{Cs}]{1,256}$/u;

/**
 * Keywords that the schemas below use but JSON Schema does not define. For a string that is not a date, a keyword
 * returns no error, because the format `date` already rejects the string.
 */
export function vocabulary(now: () => number): Vocabulary {
  return {
    formats: { date: isCalendarDate },
    keywords: {
      answerableThrough(text, last) {
        const { earliest, ...days } = answerableDates(now());
        const latest = last === 'today' ? days.today : days.yesterday;
        // Dates in this format can be compared as strings.
        if (!isCalendarDate(text) || (text >= earliest && text <= latest)) return null;
        return `Must be from ${earliest} to ${latest} (UTC).`;
      },
      weekday(text) {
        if (!isCalendarDate(text) || isMonday(text)) return null;
        const { earliest, yesterday } = answerableDates(now());
        const monday = mondayOf(text > yesterday ? yesterday : text);
        return `Must be a Monday, such as ${monday < earliest ? mondayOf(addDays(earliest, 6)) : monday}.`;
      },
    },
  };
}

function startDate(description: string, keywords: TSchemaOptions) {
  const expected = 'a date written YYYY-MM-DD, such as 2026-01-31.';
  return Type.Unsafe<CalendarDate>({ type: 'string', format: 'date', description, expected, ...keywords });
}

export const TripsStartDate = startDate(
  'Trips that start on this UTC date or later. Within the last 6 months.', //
  { answerableThrough: 'today' },
);
export const SummaryDay = startDate(
  'The UTC day to summarise. Within the last 6 months, and before today.', //
  { answerableThrough: 'yesterday' },
);
export const SummaryWeek = startDate(
  'The Monday of the week to summarise. Within the last 6 months, and before today.', //
  { answerableThrough: 'yesterday', weekday: 'Monday' },
);

const MAX_DRIVERS = 20;

export const DriverIds = Type.Array(
  Type.String({
    // The pattern also checks the length, because minLength and maxLength would take three times as long.
    pattern: DRIVER_ID.source,
    expected: '1 to 256 characters, without control characters.',
  }),
  {
    title: 'drivers',
    minItems: 1,
    maxItems: MAX_DRIVERS,
    description: `Repeat the parameter once per driver, for 1 to ${MAX_DRIVERS} drivers. The response keeps their order.`,
    expected: `once per driver, 1 to ${MAX_DRIVERS} drivers, as in driver_id=first&driver_id=second.`,
  },
);
