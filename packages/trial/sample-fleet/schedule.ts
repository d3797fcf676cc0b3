import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import type { InsurancePeriod } from '@milepost/domain/vocabulary';
import type { Driver } from './driver.ts';
import { Random } from './random.ts';
import { localOffset } from './towns.ts';

/** Everything that determines a trip's record, so that the same plan always gives the same record. */
export interface TripPlan {
  driver: Driver;
  sourceTripId: string;
  revision: number;
  /** The seed for the road, the gaps and the trip events. */
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
/**
 * The mean number of outings on a day with driving. An outing is a trip or, for ride hailing, a ride with three trips.
 * The number has a negative binomial distribution with this coefficient of variation.
 */
const OUTINGS_A_DAY = { office_car: 2.5, field_service: 6, ride_hail: 6 } as const;
const OUTINGS_VARIATION = 0.7;
const SHIFT_HOURS = { office_car: 10.5, field_service: 9, ride_hail: 8 } as const;
/** A ride has one trip in each insurance period. */
const MEAN_MILES_OF_PERIOD = { 1: 1.5, 2: 1.5, 3: 5.2 } as const;

function drawLeg(
  random: Random,
  medianMiles: number,
  sigma: number,
  ids: Pick<Leg, 'insurancePeriod' | 'trackingId'>,
): Leg {
  const miles = random.lognormal(medianMiles, sigma, 0.1, 150);
  const milesAnHour = (12 + 16 * (1 - Math.exp(-miles / 8))) * random.lognormal(1, 0.2);
  return { ...ids, miles, durationMilliseconds: Math.round((miles / milesAnHour) * 3_600_000) };
}

function drawLegs(random: Random, driver: Driver, dayName: string): Leg[] {
  const mean = OUTINGS_A_DAY[driver.type];
  const shape = mean / (mean * OUTINGS_VARIATION ** 2 - 1);
  // A day whose drawn count is zero is idle too, so only the remaining idle days are drawn here.
  const zeroShare = (shape / (shape + mean)) ** shape;
  if (random.chance(Math.max(0, (driver.idleDayShare - zeroShare) / (1 - zeroShare)))) return [];
  const count = random.poisson(random.gamma(shape, mean));
  const names = Array.from({ length: count }, (_, number) => `${dayName}-${driver.index + 1}-${number + 1}`);
  return names.flatMap((name) => {
    if (driver.type === 'ride_hail') {
      return ([1, 2, 3] as const).map((insurancePeriod) => {
        const medianMiles = MEAN_MILES_OF_PERIOD[insurancePeriod] / Math.exp(0.7 ** 2 / 2);
        const trackingId = insurancePeriod === 1 ? null : `ride-${name}`;
        return drawLeg(random, medianMiles, 0.7, { insurancePeriod, trackingId });
      });
    }
    const ownId = driver.tracking === 'own' ? `track-${name}` : null;
    const trackingId = driver.tracking === 'pool_car' ? 'pool-car' : ownId;
    return [drawLeg(random, 5.5, 1.05, { insurancePeriod: null, trackingId })];
  });
}

/**
 * Returns the pause before each leg, in milliseconds. Pauses inside a ride are short, and the rest of the shift is
 * distributed over the other pauses.
 */
function drawPauses(random: Random, driver: Driver, legs: Leg[]): number[] {
  const driving = legs.reduce((sum, leg) => sum + leg.durationMilliseconds, 0);
  const slack = Math.max(SHIFT_HOURS[driver.type] * 3_600_000 - driving, legs.length * 120_000);
  const weights = legs.map((leg) => ((leg.insurancePeriod ?? 1) === 1 ? random.exponential(1) : 0));
  const total = weights.reduce((sum, weight) => sum + weight, 0) + random.exponential(1);
  return weights.map((weight) => Math.round(weight === 0 ? random.exponential(60_000) : (slack * weight) / total));
}

/**
 * Plans the trips of one driver on one local day (days since 1970). No trip begins before `freeFrom` (the end of the
 * previous day's trips, epoch ms) or overlaps another. A long evening may extend into the next UTC day and local day.
 */
export function planDay(seed: number, driver: Driver, day: number, freeFrom: number): TripPlan[] {
  if (driver.daysOff.includes((day + 4) % 7)) return [];
  const random = new Random(seed, SALT, driver.index, day);
  const dayName = new Date(day * MILLISECONDS_PER_DAY).toISOString().slice(0, 10).replaceAll('-', '');
  const legs = drawLegs(random, driver, dayName);
  const pauses = drawPauses(random, driver, legs);
  const localMidnight = day * MILLISECONDS_PER_DAY - localOffset(driver.timeZone, day);
  const shiftStart = localMidnight + Math.round((driver.shiftStartHour + 0.4 * random.normal()) * 3_600_000);
  let time = Math.max(shiftStart, localMidnight, freeFrom);
  return legs.map((leg, ordinal) => {
    const startTime = time + (pauses[ordinal] ?? 0);
    time = startTime + leg.durationMilliseconds;
    const sourceTripId = `trip-${dayName}-${driver.index + 1}-${ordinal + 1}`;
    return { ...leg, driver, sourceTripId, revision: 1, seed: random.integer32(), startTime, correctionFactor: 1 };
  });
}
