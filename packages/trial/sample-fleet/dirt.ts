/** Delivery faults: late, duplicate, corrected, deleted and broken records. */

import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import type { TripDeleted } from '@milepost/domain/vocabulary';
import type { Driver } from './driver.ts';
import {
  BROKEN_SHARE,
  CORRECTION_DELAY_HOURS,
  CORRECTION_FACTOR,
  CORRECTION_MOVES,
  CORRECTION_SHARE,
  DELETION_SHARE,
  DUPLICATE_DELAY_HOURS,
  DUPLICATE_SHARE,
  LATE,
  PROCESSING_MINUTES,
} from './figures.ts';
import { Random } from './random.ts';
import type { TripPlan } from './schedule.ts';
import { drawTrip, keyOf, type SimulatedRecord } from './trip.ts';

/** A planned record. To keep the queue small, the record is drawn only at its delivery time (epoch milliseconds). */
export interface Delivery {
  time: number;
  draw: () => SimulatedRecord;
}

const SALT = 0xd1127;
const HOUR_MILLISECONDS = 3_600_000;

/** Ways to break a valid record so that the pipeline's rules refuse it. Exported for tests. */
export const BREAKAGES = [
  (text: string) => text.slice(0, Math.floor(text.length * 0.6)),
  (text: string) => text.replace('"kind":"trip.processed"', '"kind":"trip.processd"'),
  (text: string) => text.replace(/"trip_end_time":\d+/, '"trip_end_time":1000000000000'),
  (text: string) => text.replace(/"start_latitude":[-\d.]+/, '"start_latitude":912.5'),
  (text: string) => text.replace(/"distance_miles":[-\d.]+/, '"distance_miles":"NaN"'),
  (text: string) => text.replace(/"course":[-\d.]+/, '"course":null'),
  (text: string) => text.replace(/"revision":1/, '"revision":0'),
  (_text: string) => '',
] as const;

function processingMilliseconds(random: Random): number {
  const minutes = random.lognormal(PROCESSING_MINUTES.median, PROCESSING_MINUTES.sigma);
  return Math.min(PROCESSING_MINUTES.highest, Math.max(PROCESSING_MINUTES.lowest, minutes)) * 60_000;
}

function deletionOf(plan: TripPlan): SimulatedRecord {
  const record: TripDeleted = {
    kind: 'trip.deleted',
    fleet_id: plan.driver.profile.fleet_id,
    source_trip_id: plan.sourceTripId,
    revision: plan.revision + 1,
  };
  return { topic: 'trips', key: keyOf(plan), value: JSON.stringify(record) };
}

/**
 * Returns the trip's next revision with corrected distances and durations. Some corrections also move the trip to
 * another day (not before `earliest`) or to another driver.
 */
function correctionOf(random: Random, plan: TripPlan, drivers: readonly Driver[], earliest: number): TripPlan {
  const correctionFactor = random.uniform(CORRECTION_FACTOR.lowest, CORRECTION_FACTOR.highest);
  const corrected = { ...plan, revision: plan.revision + 1, correctionFactor };
  const move = random.uniform();
  const dayBefore = plan.startTime - MILLISECONDS_PER_DAY;
  if (move < CORRECTION_MOVES.dayShare)
    return dayBefore < earliest ? corrected : { ...corrected, startTime: dayBefore };
  if (move >= CORRECTION_MOVES.dayShare + CORRECTION_MOVES.driverShare) return corrected;
  return { ...corrected, driver: { ...plan.driver, profile: random.pick(drivers).profile } };
}

/**
 * Returns all records of a planned trip with their arrival times. Without delivery faults (`dirt`), the trip itself is
 * the only record, and it arrives when it ends. A correction may assign the trip to one of `drivers`.
 */
export function deliveriesOf(plan: TripPlan, dirt: boolean, drivers: readonly Driver[], earliest: number): Delivery[] {
  const random = new Random(plan.seed, SALT);
  const time = plan.startTime + plan.durationMilliseconds;
  if (!dirt) return [{ time, draw: () => drawTrip(plan) }];
  const processed = time + processingMilliseconds(random);
  const lateness = random.chance(LATE.share)
    ? random.uniform(LATE.lowestDays, LATE.highestDays) * MILLISECONDS_PER_DAY
    : 0;
  const arrival = processed + lateness;
  const deliveries = [{ time: arrival, draw: () => drawTrip(plan) }];
  if (random.chance(DUPLICATE_SHARE)) {
    const delay = random.uniform(DUPLICATE_DELAY_HOURS.lowest, DUPLICATE_DELAY_HOURS.highest) * HOUR_MILLISECONDS;
    deliveries.push({ time: arrival + delay, draw: () => drawTrip(plan) });
  }
  // The delay is counted from the processing and not from the arrival, so a late record may arrive after its own
  // correction or deletion.
  const delay = random.uniform(CORRECTION_DELAY_HOURS.lowest, CORRECTION_DELAY_HOURS.highest) * HOUR_MILLISECONDS;
  const change = random.uniform();
  if (change < CORRECTION_SHARE) {
    const corrected = correctionOf(random, plan, drivers, earliest);
    deliveries.push({ time: processed + delay, draw: () => drawTrip(corrected) });
  } else if (change < CORRECTION_SHARE + DELETION_SHARE) {
    deliveries.push({ time: processed + delay, draw: () => deletionOf(plan) });
  }
  if (random.chance(BROKEN_SHARE)) {
    const breakage = random.pick(BREAKAGES);
    deliveries.push({
      time: arrival,
      draw: () => ({ ...drawTrip(plan), value: breakage(drawTrip(plan).value) }),
    });
  }
  return deliveries;
}
