import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import type { Driver } from './driver.ts';
import { Random } from './random.ts';
import type { TripPlan } from './schedule.ts';
import { drawTrip, keyOf, type SimulatedRecord } from './trip.ts';

/** A planned record, which is generated only at its delivery time (epoch milliseconds), to keep the queue small. */
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
  () => '',
] as const;

function deletionOf({ driver: { profile }, sourceTripId, revision }: TripPlan): SimulatedRecord {
  const { fleet_id } = profile;
  const record = { kind: 'trip.deleted', fleet_id, source_trip_id: sourceTripId, revision: revision + 1 };
  return { topic: 'trips', key: keyOf(profile), value: JSON.stringify(record) };
}

/**
 * Returns the trip's next revision with corrected distances and durations. A quarter of the corrections also move the
 * trip to the day before (but not before `earliest`), and another quarter move it to another driver.
 */
function correctionOf(random: Random, plan: TripPlan, drivers: readonly Driver[], earliest: number): TripPlan {
  const corrected = { ...plan, revision: plan.revision + 1, correctionFactor: random.uniform(0.9, 0.97) };
  const move = random.uniform();
  const dayBefore = plan.startTime - MILLISECONDS_PER_DAY;
  if (move < 0.25) return dayBefore < earliest ? corrected : { ...corrected, startTime: dayBefore };
  if (move >= 0.5) return corrected;
  return { ...corrected, driver: { ...plan.driver, profile: random.pick(drivers).profile } };
}

/**
 * Returns all records of a planned trip with their arrival times, including late, duplicate, corrected, deleted and
 * broken ones. Without delivery faults (`dirt`), the trip itself is the only record, and it arrives when it ends. A
 * correction may assign the trip to one of `drivers`.
 */
export function deliveriesOf(plan: TripPlan, dirt: boolean, drivers: readonly Driver[], earliest: number): Delivery[] {
  const random = new Random(plan.seed, SALT);
  const end = plan.startTime + plan.durationMilliseconds;
  if (!dirt) return [{ time: end, draw: () => drawTrip(plan) }];
  // Processing times vary, which changes the order of trips, but all stay below the 4 hours after which a trip becomes
  // visible.
  const processed = end + random.lognormal(45, 0.5, 5, 230) * 60_000;
  const arrival = processed + (random.chance(0.01) ? random.uniform(1, 10) * MILLISECONDS_PER_DAY : 0);
  const deliveries = [{ time: arrival, draw: () => drawTrip(plan) }];
  if (random.chance(0.005)) {
    deliveries.push({ time: arrival + random.uniform(0.01, 48) * HOUR_MILLISECONDS, draw: () => drawTrip(plan) });
  }
  // The delay begins when the processing ends, not when the record arrives, so a late record may arrive after its own
  // correction or deletion.
  const changed = processed + random.uniform(1, 120) * HOUR_MILLISECONDS;
  const change = random.uniform();
  if (change < 0.002) {
    const corrected = correctionOf(random, plan, drivers, earliest);
    deliveries.push({ time: changed, draw: () => drawTrip(corrected) });
  } else if (change < 0.003) deliveries.push({ time: changed, draw: () => deletionOf(plan) });
  if (random.chance(0.0005)) {
    const breakage = random.pick(BREAKAGES);
    const draw = () => {
      const { value, ...record } = drawTrip(plan);
      return { ...record, value: breakage(value) };
    };
    deliveries.push({ time: arrival, draw });
  }
  return deliveries;
}
