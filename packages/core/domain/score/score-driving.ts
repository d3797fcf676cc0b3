import type { SUMMED_FIELDS } from '../vocabulary.ts';
import * as figures from './figures.ts';

/** The sums for a trip, a day or a week, which are finite and not negative. Exported for tests. */
export type DrivingTotals = Omit<Record<(typeof SUMMED_FIELDS)[number], number>, 'highway_miles'>;

/** Returns `100 part / whole`, dividing first if the product would exceed the range of a double. */
function percentage(part: number, whole: number): number {
  const product = 100 * part;
  return Number.isFinite(product) ? product / whole : (part / whole) * 100;
}

function bounded(value: number): number {
  return Math.min(Math.max(value, 0), Number.MAX_VALUE);
}

/** Each unit of exposure halves `sub_score` (0 to 100). `points_lost` is at most the area's weight. */
interface AreaPoints {
  sub_score: number;
  points_lost: number;
}

/**
 * Returns the sub-score and the lost points for each area, from its exposure, which is how many times (0 or more) the
 * sub-score is halved. A sum beyond the range of a double is Infinity, which is replaced with the largest double.
 */
function areaPoints(totals: DrivingTotals): Record<figures.DrivingArea, AreaPoints> {
  const miles = bounded(totals.distance_miles);
  const seconds = bounded(totals.duration_seconds);
  const eventRate = (count: number) => percentage(bounded(count), miles + figures.CREDIBILITY_MILES);
  const timePercent = (part: number) =>
    percentage(Math.min(bounded(part), seconds), seconds + figures.CREDIBILITY_SECONDS);
  const points = (area: figures.DrivingArea, exposure: number): AreaPoints => {
    const remaining = 2 ** -exposure;
    return { sub_score: 100 * remaining, points_lost: figures.WEIGHTS[area] * (1 - remaining) };
  };
  return {
    phone: points(
      'phone',
      timePercent(totals.phone_use_time_seconds) / figures.PHONE_TIME_HALVING_PERCENT +
        eventRate(totals.phone_use_count) / figures.PHONE_USE_HALVING_RATE,
    ),
    speed: points(
      'speed',
      timePercent(totals.overspeeding_time_seconds) / figures.SPEED_TIME_HALVING_PERCENT +
        eventRate(totals.overspeeding_count) / figures.OVERSPEEDING_HALVING_RATE,
    ),
    brake: points('brake', eventRate(totals.hard_brake_count) / figures.BRAKE_HALVING_RATE),
    acceleration: points(
      'acceleration',
      eventRate(totals.rapid_acceleration_count) / figures.ACCELERATION_HALVING_RATE,
    ),
    night: points('night', timePercent(totals.night_driving_seconds) / figures.NIGHT_TIME_HALVING_PERCENT),
  };
}

/** Returns the score before rounding, which is the full score minus the lost points of all areas. */
function unroundedScore(points: Record<figures.DrivingArea, AreaPoints>): number {
  return figures.FULL_SCORE - figures.DRIVING_AREAS.reduce((sum, area) => sum + points[area].points_lost, 0);
}

/**
 * Returns the areas to improve, with the names in the daily and weekly summaries. An area is flagged if its count or
 * seconds are above 0 and one of two conditions holds. Either it costs enough points, and these are a large enough
 * fraction of the points lost in the four areas together, or its sub-score is too low. Night driving is not one of
 * these areas.
 */
function focusAreas(
  totals: DrivingTotals,
  { phone, speed, brake, acceleration }: Record<'phone' | 'speed' | 'brake' | 'acceleration', AreaPoints>,
) {
  const lostTogether = phone.points_lost + speed.points_lost + brake.points_lost + acceleration.points_lost;
  const isWeak = ({ sub_score, points_lost }: AreaPoints) =>
    (points_lost >= figures.FOCUS_POINTS_LOST && points_lost >= figures.FOCUS_SHARE_LOST * lostTogether) ||
    sub_score < figures.FOCUS_SUB_SCORE_BELOW;
  return {
    is_phone_use: (totals.phone_use_count >= 1 || totals.phone_use_time_seconds > 0) && isWeak(phone),
    is_overspeeding: (totals.overspeeding_count >= 1 || totals.overspeeding_time_seconds > 0) && isWeak(speed),
    is_hard_brake: totals.hard_brake_count >= 1 && isWeak(brake),
    is_acceleration: totals.rapid_acceleration_count >= 1 && isWeak(acceleration),
  };
}

/** Returns the focus areas of one trip, based on its totals alone, with the names in the trip detail. */
export function tripFocusArea(totals: DrivingTotals) {
  const focus = focusAreas(totals, areaPoints(totals));
  return {
    is_phone_use: focus.is_phone_use,
    is_rapid_acceleration: focus.is_acceleration,
    is_hard_brake: focus.is_hard_brake,
    is_overspeeding: focus.is_overspeeding,
  };
}

const SIGNIFICANT_DIGITS = 12;

/**
 * Rounds to one decimal place, with ties away from zero. The function first rounds to twelve significant digits,
 * because a sum of doubles may be slightly too low. Without this step, 73.74999999999999, whose exact value is 73.75,
 * would be rounded down. Exported for tests.
 */
export function roundToOneDecimal(value: number): number {
  const tenths = Number((Math.abs(value) * 10).toPrecision(SIGNIFICANT_DIGITS));
  const rounded = Math.floor(tenths + 0.5) / 10;
  return value < 0 && rounded > 0 ? -rounded : rounded;
}

type Grade = 'excellent' | 'good' | 'fair' | 'poor';

/** Returns the grade of a score that is already rounded to one decimal place. Exported for tests. */
export function gradeOf(roundedScore: number): Grade {
  if (roundedScore >= figures.EXCELLENT_FROM) return 'excellent';
  if (roundedScore >= figures.GOOD_FROM) return 'good';
  if (roundedScore >= figures.FAIR_FROM) return 'fair';
  return 'poor';
}

/**
 * Computes the score (0 to 100, one decimal place), grade and focus areas from driving totals, by the rules in
 * `figures.ts`. The score is finite for any input. The caller decides whether a day without trips has a score. `areas`
 * explains the score: before rounding, `fm_score` is 100 minus the points lost in all areas.
 */
export function scoreDriving(totals: DrivingTotals) {
  const areas = areaPoints(totals);
  const fm_score = roundToOneDecimal(unroundedScore(areas));
  return { fm_score, fm_grade: gradeOf(fm_score), focus: focusAreas(totals, areas), areas };
}
