import type { SUMMED_FIELDS } from '../vocabulary.ts';
import * as figures from './figures.ts';
import { DRIVING_AREAS, type DrivingArea, FULL_SCORE, WEIGHTS } from './figures.ts';

/** Sums over what is scored: a trip, a day or a week. Finite and non-negative. */
export type DrivingTotals = Omit<Record<(typeof SUMMED_FIELDS)[number], number>, 'highway_miles'>;

/**
 * How exposed the driving was in each area: the number of times its sub-score is halved, from 0 (nothing happened) up.
 * Sums past the range of a double, which arrive as Infinity, count as the largest one.
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

/** `100 part / whole`; divides first where the product would leave the range of a double and turn into Infinity. */
function percentage(part: number, whole: number): number {
  const product = 100 * part;
  return Number.isFinite(product) ? product / whole : (part / whole) * 100;
}

function bounded(value: number): number {
  return Math.min(Math.max(value, 0), Number.MAX_VALUE);
}

/** `sub_score` 0..100, halved by each unit of exposure; `points_lost` of the full score, at most the area's weight. */
export interface AreaPoints {
  sub_score: number;
  points_lost: number;
}

/** What each area scores by itself and what it costs the whole. */
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

/** The score before rounding: the full score less the points lost in every area. */
export function unroundedScore(points: Record<DrivingArea, AreaPoints>): number {
  return FULL_SCORE - DRIVING_AREAS.reduce((sum, area) => sum + points[area].points_lost, 0);
}
