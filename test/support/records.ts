import { MAX_RECORD_BYTES } from '@milepost/domain/records';
import {
  type DriverProfile,
  type EventSummary,
  TRIP_EVENT_NAMES,
  type TrailPoint,
  type TripDeleted,
  type TripEvent,
  type TripEventType,
  type TripProcessed,
} from '@milepost/domain/vocabulary';

/** 2025-01-15 08:00:00 UTC, a Wednesday: the default start time of the trips below. */
export const DEFAULT_TRIP_START = Date.UTC(2025, 0, 15, 8);

const TRIP_MILLISECONDS = 1_800_000;
const TRAIL_POINTS = 5;

/**
 * Returns a valid `trip.processed` record as the pipeline publishes it: half an hour, a hard brake, a minute of
 * overspeeding, five trail points. Its times depend on `trip_start_time`. All other overrides only replace the values
 * of their fields.
 */
export function tripProcessed(overrides: Partial<TripProcessed> = {}): TripProcessed {
  const start = overrides.trip_start_time ?? DEFAULT_TRIP_START;
  return {
    kind: 'trip.processed',
    fleet_id: 'acme',
    source_trip_id: 'trip-1',
    revision: 1,
    driver_id: 'driver-1',
    tracking_id: null,
    insurance_period: null,
    trip_start_time: start,
    trip_end_time: start + TRIP_MILLISECONDS,
    duration_seconds: 1795.5,
    distance_miles: 12.25,
    night_driving_seconds: 0,
    highway_miles: 3.5,
    night_driving_miles: 0,
    start_latitude: 40.7128,
    start_longitude: -74.006,
    end_latitude: 40.7528,
    end_longitude: -73.966,
    event_summary: eventSummary({ brakes: 1, speeding: [1, 60] }),
    events: [tripEvent(2, start + 300_000, 2_000), tripEvent(9, start + 900_000, 60_000)],
    trail_path: Array.from({ length: TRAIL_POINTS }, (_, index) => trailPoint(start, index)),
    ...overrides,
  };
}

interface EventCounts {
  phone?: readonly [count: number, seconds: number];
  speeding?: readonly [count: number, seconds: number];
  brakes?: number;
  accelerations?: number;
}

/** Returns a trip's event summary with these counts and seconds. */
export function eventSummary({ phone = [0, 0], speeding = [0, 0], brakes = 0, accelerations = 0 }: EventCounts) {
  return {
    phone_use_count: phone[0],
    rapid_acceleration_count: accelerations,
    hard_brake_count: brakes,
    overspeeding_count: speeding[0],
    phone_use_time_seconds: phone[1],
    overspeeding_time_seconds: speeding[1],
  } satisfies EventSummary;
}

/**
 * Returns the text of a valid record of maximum size. It grows as much as possible when Milepost rewrites it, because
 * each trip event then has a name, data, and numbers of 21 digits.
 */
export function longestTrip(overrides: Partial<TripProcessed> = {}): string {
  const times = '"event_start_timestamp":0,"event_end_timestamp":0';
  const places = Object.keys(EVENT_PLACE).map((name) => `"${name}":1e20`);
  const event = `{"event_type":1,${times},${places.join(',')}}`;
  const trip = JSON.stringify(tripProcessed({ ...overrides, events: [] }));
  const events = Array(Math.floor((MAX_RECORD_BYTES - trip.length) / (event.length + 1))).fill(event);
  return trip.replace('"events":[]', `"events":[${events.join(',')}]`);
}

/** Returns a valid `trip.deleted` record for the trip of `tripProcessed()`, one revision later. */
export function tripDeleted(overrides: Partial<TripDeleted> = {}): TripDeleted {
  return { kind: 'trip.deleted', fleet_id: 'acme', source_trip_id: 'trip-1', revision: 2, ...overrides };
}

/** Returns a valid `driver.profile` record for the driver of `tripProcessed()`. */
export function driverProfile(overrides: Partial<DriverProfile> = {}): DriverProfile {
  return {
    kind: 'driver.profile',
    fleet_id: 'acme',
    driver_id: 'driver-1',
    revision: 1,
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.com',
    alias: null,
    ...overrides,
  };
}

/** Returns this many trips, called `trip-1`, `trip-2` and so on. */
export function numberedTrips(count: number, overrides: Partial<TripProcessed> = {}): TripProcessed[] {
  return Array.from({ length: count }, (_, index) =>
    tripProcessed({ source_trip_id: `trip-${index + 1}`, ...overrides }),
  );
}

/** Returns the profiles of this many drivers, called `driver-1`, `driver-2` and so on. */
export function numberedProfiles(count: number, overrides: Partial<DriverProfile> = {}): DriverProfile[] {
  return Array.from({ length: count }, (_, index) => driverProfile({ driver_id: `driver-${index + 1}`, ...overrides }));
}

/** Formats records as in a file or standard input: one line of JSON each, and a final newline. */
export function toNdjson(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** Returns a trip event that starts at `start`. All overspeeding events have the same speeds. */
export function tripEvent(
  event_type: TripEventType,
  start: number,
  milliseconds: number,
  overrides: Partial<TripEvent> = {},
): TripEvent {
  const speeds = { user_speed_mph: 71.5, speed_limit_mph: 55, max_user_speed_mph: 78.25 };
  return {
    event_type,
    event_name: TRIP_EVENT_NAMES[event_type],
    event_start_timestamp: start,
    event_end_timestamp: start + milliseconds,
    ...EVENT_PLACE,
    event_data: event_type === 9 ? speeds : {},
    ...overrides,
  };
}

const EVENT_PLACE = {
  event_start_latitude: 40.7201,
  event_start_longitude: -73.9987,
  event_end_latitude: 40.7212,
  event_end_longitude: -73.9975,
};

function trailPoint(start: number, index: number): TrailPoint {
  const share = index / (TRAIL_POINTS - 1);
  return {
    timestamp: start + share * TRIP_MILLISECONDS,
    latitude: 40.7128 + share * 0.04,
    longitude: -74.006 + share * 0.04,
    course: 37.5,
  };
}
