import type { SUMMED_FIELDS } from '../vocabulary.ts';
import * as figures from './figures.ts';
import { DRIVING_AREAS, type DrivingArea, FULL_SCORE, WEIGHTS } from './figures.ts';

/** The sums for a trip, a day or a week, which are finite and not negative. */
export type DrivingTotals = Omit<Record<(typeof SUMMED_FIELDS)[number], number>, 'highway_miles'>;

/**
 * Returns each area's exposure, which is how many times (0 or more) the sub-score is halved. A sum beyond the range of
 * a double is Infinity, which is replaced with the largest double.
 */
function exposures(totals: DrivingTotals): Record<DrivingArea, number> {
  const miles = bounded(totals.distance_miles);
  const seconds = bounded(totals.duration_seconds);
  const eventRate = (count: number) => percentage(bounded(count), miles + figures.CREDIBILITY_MILES);
  const timePercent = (part: number) =>
    percentage(Math.min(bounded(part), seconds), seconds + figures.CREDIBILITY_SECONDS);
  return {
    phone:
      timePercent(totals.phone_use_time_seconds) / figures.PHONE_TIME_HALVING_PERCENT +
      eventRate(totals.phone_use_count) / figures.PHONE_USE_HALVING_RATE,
    speed:
      timePercent(totals.overspeeding_time_seconds) / figures.SPEED_TIME_HALVING_PERCENT +
      eventRate(totals.overspeeding_count) / figures.OVERSPEEDING_HALVING_RATE,
    brake: eventRate(totals.hard_brake_count) / figures.BRAKE_HALVING_RATE,
    acceleration: eventRate(totals.rapid_acceleration_count) / figures.ACCELERATION_HALVING_RATE,
    night: timePercent(totals.night_driving_seconds) / figures.NIGHT_TIME_HALVING_PERCENT,
  };
}

/** Returns `100 part / whole`, dividing first if the product would exceed the range of a double. */
function percentage(part: number, whole: number): number {
  const product = 100 * part;
  return Number.isFinite(product) ? product / whole : (part / whole) * 100;
}

function bounded(value: number): number {
  return Math.min(Math.max(value, 0), Number.MAX_VALUE);
}

/** Each unit of exposure halves `sub_score` (0 to 100). `points_lost` is at most the area's weight. */
export interface AreaPoints {
  sub_score: number;
  points_lost: number;
}

/** Returns the sub-score and the lost points for each area. */
export function areaPoints(totals: DrivingTotals): Record<DrivingArea, AreaPoints> {
  const exposure = exposures(totals);
  const points = (area: DrivingArea): AreaPoints => {
    const remaining = 2 ** -exposure[area];
    return { sub_score: 100 * remaining, points_lost: WEIGHTS[area] * (1 - remaining) };
  };
  return {
    phone: points('phone'),
    speed: points('speed'),
    brake: points('brake'),
    acceleration: points('acceleration'),
    night: points('night'),
  };
}

/** Returns the score before rounding, which is the full score minus the lost points of all areas. */
export function unroundedScore(points: Record<DrivingArea, AreaPoints>): number {
  return FULL_SCORE - DRIVING_AREAS.reduce((sum, area) => sum + points[area].points_lost, 0);
}
