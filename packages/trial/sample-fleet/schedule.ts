/**
 * Plans a driver's trips on a local day. A plan is small, because the record with its trail is drawn from it only at
 * delivery.
 */

import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import type { InsurancePeriod } from '@milepost/domain/vocabulary';
import type { Driver } from './driver.ts';
import {
  INSURANCE_PERIOD_MILES,
  INSURANCE_PERIOD_SIGMA,
  POOL_CAR_TRACKING_ID,
  RIDE_PAUSE_MINUTES,
  SHIFT,
  TRIP_MILES,
  TRIP_SPEED_MPH,
  TRIPS_A_DAY,
  TRIPS_A_DAY_VARIATION,
} from './figures.ts';
import { negativeBinomialShape, Random } from './random.ts';
import { localOffset } from './towns.ts';

/** Everything from which a trip's record is drawn, so the same plan always gives the same record. */
export interface TripPlan {
  driver: Driver;
  sourceTripId: string;
  revision: number;
  /** Seed of the road, the gaps and the trip events. */
  seed: number;
  startTime: number;
  durationMilliseconds: number;
  miles: number;
  /** The factor by which a correction multiplies distances and durations; 1 before any correction. */
  correctionFactor: number;
  insurancePeriod: InsurancePeriod | null;
  trackingId: string | null;
}

type Leg = Pick<TripPlan, 'miles' | 'durationMilliseconds' | 'insurancePeriod' | 'trackingId'>;

const SALT = 0x5c4ed;
/** Three insurance periods make one ride. */
const LEGS_OF_A_RIDE = 3;

function drawLeg(
  random: Random,
  median: number,
  sigma: number,
  rest: Omit<Leg, 'miles' | 'durationMilliseconds'>,
): Leg {
  const miles = Math.min(TRIP_MILES.highest, Math.max(TRIP_MILES.lowest, random.lognormal(median, sigma)));
  const typicalSpeed = TRIP_SPEED_MPH.base + TRIP_SPEED_MPH.rise * (1 - Math.exp(-miles / TRIP_SPEED_MPH.scaleMiles));
  const speed = typicalSpeed * random.lognormal(1, TRIP_SPEED_MPH.sigma);
  return { ...rest, miles, durationMilliseconds: Math.round((miles / speed) * 3_600_000) };
}

function drawRide(random: Random, trackingId: string): Leg[] {
  const periods = [1, 2, 3] as const;
  return periods.map((insurancePeriod) => {
    const median = INSURANCE_PERIOD_MILES[insurancePeriod] / Math.exp(INSURANCE_PERIOD_SIGMA ** 2 / 2);
    const trackedId = insurancePeriod === 1 ? null : trackingId;
    return drawLeg(random, median, INSURANCE_PERIOD_SIGMA, { insurancePeriod, trackingId: trackedId });
  });
}

function drawLegs(random: Random, driver: Driver, dayName: string): Leg[] {
  const legsAtOnce = driver.type === 'ride_hail' ? LEGS_OF_A_RIDE : 1;
  const mean = TRIPS_A_DAY[driver.type] / legsAtOnce;
  const shape = negativeBinomialShape(mean, TRIPS_A_DAY_VARIATION);
  // A drawn count of zero also produces a day without driving, so only the remaining idle days are drawn separately.
  const zeroShare = (shape / (shape + mean)) ** shape;
  if (random.chance(Math.max(0, (driver.idleDayShare - zeroShare) / (1 - zeroShare)))) return [];
  const count = random.negativeBinomial(mean, shape);
  const names = Array.from({ length: count }, (_, number) => `${dayName}-${driver.index + 1}-${number + 1}`);
  if (driver.type === 'ride_hail') return names.flatMap((name) => drawRide(random, `ride-${name}`));
  return names.map((name) => {
    const ownId = driver.tracking === 'own' ? `track-${name}` : null;
    const trackingId = driver.tracking === 'pool_car' ? POOL_CAR_TRACKING_ID : ownId;
    return drawLeg(random, TRIP_MILES.median, TRIP_MILES.sigma, { insurancePeriod: null, trackingId });
  });
}

/**
 * Returns the pauses before each leg, in milliseconds. Pauses inside a ride are short, and the rest of the shift is
 * distributed over the other pauses.
 */
function drawPauses(random: Random, driver: Driver, legs: Leg[]): number[] {
  const driving = legs.reduce((sum, leg) => sum + leg.durationMilliseconds, 0);
  const slack = Math.max(SHIFT[driver.type].hours * 3_600_000 - driving, legs.length * 120_000);
  const weights = legs.map((leg) => ((leg.insurancePeriod ?? 1) === 1 ? random.exponential(1) : 0));
  const total = weights.reduce((sum, weight) => sum + weight, 0) + random.exponential(1);
  return weights.map((weight) =>
    weight === 0 ? Math.round(random.exponential(RIDE_PAUSE_MINUTES * 60_000)) : Math.round((slack * weight) / total),
  );
}

/**
 * Returns the trips of one driver on one local day (days since 1970). No trip begins before `freeFrom` (the end of the
 * previous day's trips, epoch ms) or overlaps another. A long evening may extend into the next UTC day and local day.
 */
export function planDay(seed: number, driver: Driver, day: number, freeFrom: number): TripPlan[] {
  if (driver.daysOff.includes((day + 4) % 7)) return [];
  const random = new Random(seed, SALT, driver.index, day);
  const dayName = new Date(day * MILLISECONDS_PER_DAY).toISOString().slice(0, 10).replaceAll('-', '');
  const legs = drawLegs(random, driver, dayName);
  const pauses = drawPauses(random, driver, legs);
  const localMidnight = day * MILLISECONDS_PER_DAY - localOffset(driver.town.timeZone, day);
  const shiftStart = localMidnight + Math.round((driver.shiftStartHour + 0.4 * random.normal()) * 3_600_000);
  let time = Math.max(shiftStart, localMidnight, freeFrom);
  return legs.map((leg, ordinal) => {
    const startTime = time + (pauses[ordinal] ?? 0);
    time = startTime + leg.durationMilliseconds;
    return {
      ...leg,
      driver,
      sourceTripId: `trip-${dayName}-${driver.index + 1}-${ordinal + 1}`,
      revision: 1,
      seed: random.integer32(),
      startTime,
      correctionFactor: 1,
    };
  });
}
