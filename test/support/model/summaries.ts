import type { TripProcessed } from '@milepost/domain/vocabulary';
import { exactSum } from './decimal.ts';
import { focusOf, scoreOf } from './score.ts';

/** Computes the figures for a day's or a week's trips. Without trips, they are zero, and there is no score. */
export function drivingFigures(trips: readonly TripProcessed[]) {
  const sum = (figure: (trip: TripProcessed) => number) => exactSum(trips.map(figure));
  const totals = {
    distance_miles: sum((trip) => trip.distance_miles),
    duration_seconds: sum((trip) => trip.duration_seconds),
    night_driving_seconds: sum((trip) => trip.night_driving_seconds),
    highway_miles: sum((trip) => trip.highway_miles),
  };
  const events_summary = {
    phone_use_count: sum((trip) => trip.event_summary.phone_use_count),
    rapid_acceleration_count: sum((trip) => trip.event_summary.rapid_acceleration_count),
    hard_brake_count: sum((trip) => trip.event_summary.hard_brake_count),
    overspeeding_count: sum((trip) => trip.event_summary.overspeeding_count),
    phone_use_time_seconds: sum((trip) => trip.event_summary.phone_use_time_seconds),
    overspeeding_time_seconds: sum((trip) => trip.event_summary.overspeeding_time_seconds),
  };
  const focus = focusOf({ ...totals, ...events_summary });
  const score = trips.length === 0 ? { fm_score: null, fm_grade: null } : scoreOf({ ...totals, ...events_summary });
  return {
    ...score,
    trip_count: trips.length,
    ...totals,
    events_summary,
    focus_area: {
      is_phone_use: focus.phone,
      is_overspeeding: focus.speed,
      is_hard_brake: focus.brake,
      is_acceleration: focus.accel,
    },
  };
}
