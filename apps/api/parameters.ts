import {
  addDays,
  type CalendarDate,
  dateOf,
  isCalendarDate,
  isMonday,
  MILLISECONDS_PER_DAY,
  mondayOf,
  sixMonthsBefore,
} from '@milepost/domain/calendar';
import type { Vocabulary } from '@milepost/http';
import Type, { type TSchemaOptions } from 'typebox';

/** As records may name a driver (packages/domain/records); the `u` flag counts code points, not UTF-16 units. */
export const DRIVER_ID = /^[^\p{Cc}\p{Cs}]{1,256}$/u;
/** U+0000 cannot be stored as text and would make PostgreSQL fail. */
export const TRACKING_ID = /^[^\0\p{Cs}]{1,256}$/u;
/** The database would also take uppercase and hyphens. */
export const TRIP_ID = /^[0-9a-f]{32}$/;

/** The dates (UTC) that requests may name. */
interface AnswerableDates {
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

/** What the schemas below say beyond JSON Schema. Keywords leave to `date` what is no date. */
export function vocabulary(now: () => number): Vocabulary {
  return {
    formats: { date: isCalendarDate },
    keywords: {
      answerableThrough(text, last) {
        const { earliest, ...days } = answerableDates(now());
        const latest = last === 'today' ? days.today : days.yesterday;
        // Dates of this form compare as texts.
        if (!isCalendarDate(text) || (text >= earliest && text <= latest)) return null;
        return `Must be from ${earliest} to ${latest} (UTC).`;
      },
      weekday: (text) =>
        !isCalendarDate(text) || isMonday(text) ? null : `Must be a Monday, such as ${mondayOf(text)}.`,
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
  'The summarised UTC day. Within the last 6 months, and before today.', //
  { answerableThrough: 'yesterday' },
);
export const SummaryWeek = startDate(
  'The Monday of the summarised week. Within the last 6 months, and before today.', //
  { answerableThrough: 'yesterday', weekday: 'Monday' },
);

const MOST_DRIVERS = 20;

export const DriverIds = Type.Array(
  Type.String({
    // One pattern: minLength and maxLength would take three times as long.
    pattern: DRIVER_ID.source,
    expected: '1 to 256 characters, without control characters.',
  }),
  {
    title: 'drivers',
    minItems: 1,
    maxItems: MOST_DRIVERS,
    description: `Repeated once per driver, 1 to ${MOST_DRIVERS} of them. The answer has their order.`,
    expected: `once per driver, 1 to ${MOST_DRIVERS} drivers, as in driver_id=first&driver_id=second.`,
  },
);
