import type { EventSummary } from '@milepost/domain/vocabulary';
import type { DailySummary, DrivingFigures, TripListEntry, WeekTotals } from '../resources.ts';

/** A value in a row. Times are in epoch milliseconds, and dates are `YYYY-MM-DD`. */
export type Cell = string | number | boolean | null;

/** `figure` is any number, and `time` is in epoch milliseconds. A kind with `?`, such as `integer?`, may be null. */
export type Kind = 'text' | 'text?' | 'date' | 'time' | 'integer' | 'integer?' | 'figure' | 'figure?' | 'flag';

/** Returns a trip as a flat object of columns. */
export function flatTrip({ event_summary, ...trip }: TripListEntry) {
  return { ...trip, ...event_summary };
}

function flatFigures({ events_summary, focus_area, ...figures }: DrivingFigures) {
  return { ...figures, ...events_summary, ...focus_area };
}

/** Returns a day as a flat object of columns. */
export function flatDay(driver_id: string, { date, ...figures }: DailySummary) {
  return { driver_id, date, ...flatFigures(figures) };
}

/** Returns a week as a flat object of columns. */
export function flatWeek(driver_id: string, { start_date, end_date, ...figures }: WeekTotals) {
  return { driver_id, start_date, end_date, ...flatFigures(figures) };
}

const EVENTS = {
  phone_use_count: 'integer',
  rapid_acceleration_count: 'integer',
  hard_brake_count: 'integer',
  overspeeding_count: 'integer',
  phone_use_time_seconds: 'figure',
  overspeeding_time_seconds: 'figure',
} as const satisfies Record<keyof EventSummary, Kind>;

const FIGURES = {
  fm_score: 'figure?',
  fm_grade: 'text?',
  trip_count: 'integer',
  distance_miles: 'figure',
  duration_seconds: 'figure',
  night_driving_seconds: 'figure',
  highway_miles: 'figure',
  ...EVENTS,
  is_phone_use: 'flag',
  is_overspeeding: 'flag',
  is_hard_brake: 'flag',
  is_acceleration: 'flag',
} as const satisfies Record<keyof ReturnType<typeof flatFigures>, Kind>;

/** The columns of each kind of row, in order, with the names and units of the HTTP interface. */
export const COLUMNS = {
  trips: {
    trip_id: 'text',
    driver_id: 'text',
    trip_start_time: 'time',
    trip_end_time: 'time',
    duration_seconds: 'figure',
    distance_miles: 'figure',
    insurance_period: 'integer?',
    start_latitude: 'figure',
    start_longitude: 'figure',
    end_latitude: 'figure',
    end_longitude: 'figure',
    night_driving_seconds: 'figure',
    highway_miles: 'figure',
    night_driving_miles: 'figure',
    ...EVENTS,
  } satisfies Record<keyof ReturnType<typeof flatTrip>, Kind>,
  days: { driver_id: 'text', date: 'date', ...FIGURES } satisfies Record<keyof ReturnType<typeof flatDay>, Kind>,
  weeks: { driver_id: 'text', start_date: 'date', end_date: 'date', ...FIGURES } satisfies Record<
    keyof ReturnType<typeof flatWeek>,
    Kind
  >,
} as const;

export type Subject = keyof typeof COLUMNS;
