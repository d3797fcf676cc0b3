/** A trip's record, drawn from its plan. */

import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { deriveEventSummary } from '@milepost/domain/records';
import type { TripEvent, TripProcessed } from '@milepost/domain/vocabulary';
import { drawEventCounts, drawEvents } from './events.ts';
import { NIGHT_HOURS } from './figures.ts';
import { Random } from './random.ts';
import { drawRoad, highwayShare, type Road, stepsOf } from './road.ts';
import type { TripPlan } from './schedule.ts';
import { localOffset } from './towns.ts';
import { trailJson } from './trail-json.ts';

/**
 * A message for one of the pipeline's topics. `key` is `<fleet_id>/<driver_id>`, and `value` is the record's JSON text.
 */
export interface SimulatedRecord {
  topic: 'trips' | 'drivers';
  key: string;
  value: string;
}

/** How far from a driver's home the trips start: the standard deviation in degrees. */
const START_SPREAD_DEGREES = 0.04;

/**
 * Returns how many milliseconds of a trip fall into the night, which begins at local midnight. A long trip may touch
 * two nights. Exported for tests.
 */
export function nightMilliseconds(startTime: number, endTime: number, timeZone: string): number {
  const utcDay = Math.floor(startTime / MILLISECONDS_PER_DAY);
  const firstDay = Math.floor((startTime + localOffset(timeZone, utcDay)) / MILLISECONDS_PER_DAY);
  const offset = localOffset(timeZone, firstDay);
  let night = 0;
  for (let midnight = firstDay * MILLISECONDS_PER_DAY - offset; midnight < endTime; midnight += MILLISECONDS_PER_DAY) {
    night += Math.max(0, Math.min(endTime, midnight + NIGHT_HOURS * 3_600_000) - Math.max(startTime, midnight));
  }
  return night;
}

function decimals(value: number, places: number): number {
  return Math.round(value * 10 ** places) / 10 ** places;
}

/** Returns a trip event as a terse SDK sends it, without a name and without empty data. */
function terseEvent({ event_name: _name, event_data, ...rest }: TripEvent) {
  return 'user_speed_mph' in event_data ? { ...rest, event_data } : rest;
}

function figuresOf({ driver, startTime, durationMilliseconds, miles, correctionFactor }: TripPlan) {
  const night = nightMilliseconds(startTime, startTime + durationMilliseconds, driver.town.timeZone);
  const reportedMiles = decimals(miles * correctionFactor, 2);
  return {
    duration_seconds: Math.round((durationMilliseconds * correctionFactor) / 1000),
    distance_miles: reportedMiles,
    night_driving_seconds: decimals((night * correctionFactor) / 1000, 1),
    highway_miles: decimals(reportedMiles * highwayShare(miles), 2),
    night_driving_miles: decimals((reportedMiles * night) / durationMilliseconds, 2),
  };
}

/**
 * Returns the JSON text of a trip, whose fields are in the order of the record's description. A terse SDK omits
 * optional fields.
 */
export function tripJson(plan: TripPlan, road: Road, events: TripEvent[]): string {
  const { driver, startTime, durationMilliseconds } = plan;
  const last = road.recorded.length - 1;
  const header = {
    kind: 'trip.processed',
    fleet_id: driver.profile.fleet_id,
    source_trip_id: plan.sourceTripId,
    revision: plan.revision,
    driver_id: driver.profile.driver_id,
    ...(driver.terse && plan.trackingId === null ? {} : { tracking_id: plan.trackingId }),
    ...(driver.terse && plan.insurancePeriod === null ? {} : { insurance_period: plan.insurancePeriod }),
    trip_start_time: startTime,
    trip_end_time: startTime + durationMilliseconds,
    ...figuresOf(plan),
    start_latitude: (road.latitude[0] ?? 0) / 1e6,
    start_longitude: (road.longitude[0] ?? 0) / 1e6,
    end_latitude: (road.latitude[last] ?? 0) / 1e6,
    end_longitude: (road.longitude[last] ?? 0) / 1e6,
    ...(driver.terse ? {} : { event_summary: deriveEventSummary(events) }),
    events: driver.terse ? events.map(terseEvent) : events,
  } satisfies Partial<Record<keyof TripProcessed, unknown>>;
  return `${JSON.stringify(header).slice(0, -1)},"trail_path":${trailJson(road, startTime)}}`;
}

export function keyOf(plan: TripPlan): string {
  return `${plan.driver.profile.fleet_id}/${plan.driver.profile.driver_id}`;
}

/**
 * Draws the record of a planned trip. The same plan gives the same bytes, so drawing a plan again gives a duplicate.
 */
export function drawTrip(plan: TripPlan): SimulatedRecord {
  const random = new Random(plan.seed);
  const road = drawRoad(random, {
    startLatitude: plan.driver.homeLatitude + START_SPREAD_DEGREES * random.normal(),
    startLongitude: plan.driver.homeLongitude + START_SPREAD_DEGREES * random.normal(),
    miles: plan.miles,
    steps: stepsOf(plan.durationMilliseconds),
    interruptions: true,
  });
  const events = drawEvents(random, drawEventCounts(random, plan.driver.rates, plan.miles), road, plan);
  return { topic: 'trips', key: keyOf(plan), value: tripJson(plan, road, events) };
}
