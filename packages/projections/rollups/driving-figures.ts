import { scoreDriving } from '@milepost/domain/score';
import type { DrivingFigures } from '../resources/index.ts';
import { type ExactSums, readSums } from './exact-sums.ts';

/** Sums of doubles near their limit can pass it, and JSON has no infinity. */
function finite(sum: number): number {
  return Math.min(sum, Number.MAX_VALUE);
}

/** The figures of a summary, with score, grade and focus areas from the summed inputs. */
export function toDrivingFigures(sums: ExactSums): DrivingFigures {
  const totals = readSums(sums);
  const figures = {
    distance_miles: finite(totals.distance_miles),
    duration_seconds: finite(totals.duration_seconds),
    night_driving_seconds: finite(totals.night_driving_seconds),
    highway_miles: finite(totals.highway_miles),
  };
  const events_summary = {
    phone_use_count: totals.phone_use_count,
    rapid_acceleration_count: totals.rapid_acceleration_count,
    hard_brake_count: totals.hard_brake_count,
    overspeeding_count: totals.overspeeding_count,
    phone_use_time_seconds: finite(totals.phone_use_time_seconds),
    overspeeding_time_seconds: finite(totals.overspeeding_time_seconds),
  };
  const { fm_score, fm_grade, focus } = scoreDriving({ ...figures, ...events_summary });
  return { fm_score, fm_grade, trip_count: totals.trip_count, ...figures, events_summary, focus_area: focus };
}

/** The figures of a day or week without trips. */
export const NO_DRIVING: DrivingFigures = {
  fm_score: null,
  fm_grade: null,
  trip_count: 0,
  distance_miles: 0,
  duration_seconds: 0,
  night_driving_seconds: 0,
  highway_miles: 0,
  events_summary: {
    phone_use_count: 0,
    rapid_acceleration_count: 0,
    hard_brake_count: 0,
    overspeeding_count: 0,
    phone_use_time_seconds: 0,
    overspeeding_time_seconds: 0,
  },
  focus_area: { is_phone_use: false, is_overspeeding: false, is_hard_brake: false, is_acceleration: false },
};
