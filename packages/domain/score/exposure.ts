import type { DrivingTotals } from './driving-totals.ts';
import type { DrivingArea } from './figures.ts';
import * as figures from './figures.ts';

/**
 * How exposed the driving was in each area: the number of times its sub-score is halved, from 0 (nothing happened) up.
 * Sums past the range of a double, which arrive as Infinity, count as the largest one.
 */
export function exposures(totals: DrivingTotals): Record<DrivingArea, number> {
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
