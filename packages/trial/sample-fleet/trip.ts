import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { deriveEventSummary } from '@milepost/domain/records';
import type { TripEvent, TripProcessed } from '@milepost/domain/vocabulary';
import { drawEvents, EVENT_NAMES } from './events.ts';
import { decimals, Random } from './random.ts';
import { drawRoad, highwayShare, type Place, placeAt, TRAIL_STEP_MILLISECONDS } from './road.ts';
import type { TripPlan } from './schedule.ts';
import { localOffset } from './towns.ts';

/**
 * A message for one of the pipeline's topics. `key` is `<fleet_id>/<driver_id>`, and `value` is the record's JSON text.
 */
export interface SimulatedRecord {
  topic: 'trips' | 'drivers';
  key: string;
  value: string;
}

const NIGHT_MILLISECONDS = 4 * 3_600_000;

/**
 * Returns how many milliseconds of a trip fall within the night, which begins at local midnight. A long trip may extend
 * into two nights. Exported for tests.
 */
export function nightMilliseconds(startTime: number, endTime: number, timeZone: string): number {
  const utcDay = Math.floor(startTime / MILLISECONDS_PER_DAY);
  const firstDay = Math.floor((startTime + localOffset(timeZone, utcDay)) / MILLISECONDS_PER_DAY);
  const firstMidnight = firstDay * MILLISECONDS_PER_DAY - localOffset(timeZone, firstDay);
  let night = 0;
  for (let midnight = firstMidnight; midnight < endTime; midnight += MILLISECONDS_PER_DAY) {
    night += Math.max(0, Math.min(endTime, midnight + NIGHT_MILLISECONDS) - Math.max(startTime, midnight));
  }
  return night;
}

/** Returns a trip event as a terse SDK sends it, without a name and without empty data. */
function terseEvent({ event_name: _name, event_data, ...rest }: TripEvent) {
  return 'user_speed_mph' in event_data ? { ...rest, event_data } : rest;
}

/** Returns the record of a trip, with its fields in the order in which they are documented. */
export function tripRecord(plan: TripPlan, road: readonly Place[], events: TripEvent[]): SimulatedRecord {
  const { driver, startTime, durationMilliseconds, miles, correctionFactor } = plan;
  const night = nightMilliseconds(startTime, startTime + durationMilliseconds, driver.timeZone);
  const reportedMiles = decimals(miles * correctionFactor, 2);
  const [from, to] = [placeAt(road, 0), placeAt(road, durationMilliseconds)];
  const record = {
    kind: 'trip.processed',
    fleet_id: driver.profile.fleet_id,
    source_trip_id: plan.sourceTripId,
    revision: plan.revision,
    driver_id: driver.profile.driver_id,
    ...(driver.terse && plan.trackingId === null ? {} : { tracking_id: plan.trackingId }),
    ...(driver.terse && plan.insurancePeriod === null ? {} : { insurance_period: plan.insurancePeriod }),
    trip_start_time: startTime,
    trip_end_time: startTime + durationMilliseconds,
    duration_seconds: Math.round((durationMilliseconds * correctionFactor) / 1000),
    distance_miles: reportedMiles,
    night_driving_seconds: decimals((night * correctionFactor) / 1000, 1),
    highway_miles: decimals(reportedMiles * highwayShare(miles), 2),
    night_driving_miles: decimals((reportedMiles * night) / durationMilliseconds, 2),
    start_latitude: from.latitude,
    start_longitude: from.longitude,
    end_latitude: to.latitude,
    end_longitude: to.longitude,
    ...(driver.terse ? {} : { event_summary: deriveEventSummary(events) }),
    events: driver.terse ? events.map(terseEvent) : events,
    trail_path: road.flatMap(({ latitude, longitude, course, recorded }, step) =>
      recorded ? [{ timestamp: startTime + step * TRAIL_STEP_MILLISECONDS, latitude, longitude, course }] : [],
    ),
  } satisfies Partial<Record<keyof TripProcessed, unknown>>;
  return { topic: 'trips', key: keyOf(driver.profile), value: JSON.stringify(record) };
}

export function keyOf({ fleet_id, driver_id }: { fleet_id: string; driver_id: string }): string {
  return `${fleet_id}/${driver_id}`;
}

/** Generates the record of a planned trip. The same plan gives the same bytes, so a second call gives a duplicate. */
export function drawTrip(plan: TripPlan): SimulatedRecord {
  const random = new Random(plan.seed);
  const { latitude, longitude } = plan.driver.home;
  const start = { latitude: latitude + 0.04 * random.normal(), longitude: longitude + 0.04 * random.normal() };
  const road = drawRoad(random, plan, start, true);
  const counts = { ...plan.driver.rates };
  for (const name of EVENT_NAMES) counts[name] = random.poisson((counts[name] * plan.miles) / 100);
  return tripRecord(plan, road, drawEvents(random, counts, road, plan));
}
