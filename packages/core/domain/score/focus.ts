import { FOCUS_POINTS_LOST, FOCUS_SHARE_LOST, FOCUS_SUB_SCORE_BELOW } from './figures.ts';
import { type AreaPoints, areaPoints, type DrivingTotals } from './points.ts';

/** The areas to improve, with the names in the daily and weekly summaries. */
export interface SummaryFocusArea {
  is_phone_use: boolean;
  is_overspeeding: boolean;
  is_hard_brake: boolean;
  is_acceleration: boolean;
}

/** The areas to improve, with the names in the trip detail. */
interface TripFocusArea {
  is_phone_use: boolean;
  is_rapid_acceleration: boolean;
  is_hard_brake: boolean;
  is_overspeeding: boolean;
}

/**
 * Flags an area if its count or seconds are above 0 and it is weak: it costs enough points and a large enough fraction
 * of the points lost in the four areas together, or its sub-score is too low. Night driving is not one of these areas.
 */
export function focusAreas(
  totals: DrivingTotals,
  { phone, speed, brake, acceleration }: Record<'phone' | 'speed' | 'brake' | 'acceleration', AreaPoints>,
): SummaryFocusArea {
  const lostTogether = phone.points_lost + speed.points_lost + brake.points_lost + acceleration.points_lost;
  const isWeak = ({ sub_score, points_lost }: AreaPoints) =>
    (points_lost >= FOCUS_POINTS_LOST && points_lost >= FOCUS_SHARE_LOST * lostTogether) ||
    sub_score < FOCUS_SUB_SCORE_BELOW;
  return {
    is_phone_use: (totals.phone_use_count >= 1 || totals.phone_use_time_seconds > 0) && isWeak(phone),
    is_overspeeding: (totals.overspeeding_count >= 1 || totals.overspeeding_time_seconds > 0) && isWeak(speed),
    is_hard_brake: totals.hard_brake_count >= 1 && isWeak(brake),
    is_acceleration: totals.rapid_acceleration_count >= 1 && isWeak(acceleration),
  };
}

/** Returns the focus areas of one trip, based on its totals alone. */
export function tripFocusArea(totals: DrivingTotals): TripFocusArea {
  const focus = focusAreas(totals, areaPoints(totals));
  return {
    is_phone_use: focus.is_phone_use,
    is_rapid_acceleration: focus.is_acceleration,
    is_hard_brake: focus.is_hard_brake,
    is_overspeeding: focus.is_overspeeding,
  };
}
