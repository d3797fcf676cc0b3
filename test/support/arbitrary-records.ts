import { TRIP_EVENT_NAMES, type TripEvent, type TripEventType } from '@milepost/domain/vocabulary';
import fc from 'fast-check';
import { anyAmount, anyCount, anyFinite, anyLatitude, anyLongitude, anyTimestamp } from './console/arbitrary-values.ts';

const LAST_START = Date.UTC(2025, 0, 20);

const timestamp = fc.oneof(fc.constant(-0), anyTimestamp);
const text = (maximum: number) =>
  fc.string({ unit: 'binary', minLength: 1, maxLength: maximum }).filter((value) => !value.includes('\0'));
const id = text(256).filter((value) => value !== '.' && value !== '..');
const driver_id = id.filter((value) => !/\p{Cc}/u.test(value));
const fleet_id = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
const source_trip_id = text(128);
const revision = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

/** Trip events with these times and other numbers. */
const anyTripEvent = (time: fc.Arbitrary<number>, number: fc.Arbitrary<number>) =>
  fc.constantFrom<TripEventType>(1, 2, 7, 9).chain((event_type): fc.Arbitrary<TripEvent> => {
    const speeds = { user_speed_mph: number, speed_limit_mph: number, max_user_speed_mph: number };
    return fc.record(
      {
        event_type: fc.constant(event_type),
        event_name: fc.constant(TRIP_EVENT_NAMES[event_type]),
        event_start_timestamp: time,
        event_end_timestamp: time,
        event_start_latitude: number,
        event_start_longitude: number,
        event_end_latitude: number,
        event_end_longitude: number,
        event_data: event_type === 9 ? fc.record(speeds, { noNullPrototype: true }) : fc.constant({}),
      },
      { noNullPrototype: true },
    );
  });

/**
 * As text, some of these numbers share a prefix, some are prefixes of others, and some share more characters than the
 * codec can omit.
 */
const alike = fc.constantFrom(0, -0, 1, -1, 39.158553, 39.15855, 39.1585531234567, -0.5, 1e21, 1e-7, 1795218436235);
const alikeOrFinite = fc.oneof(alike, fc.double({ noNaN: true, noDefaultInfinity: true }));

/** The trip events of a trip, with realistic or arbitrary finite numbers. */
export const anyTripEvents = fc.array(anyTripEvent(fc.maxSafeInteger(), alikeOrFinite), { maxLength: 6 });

/** Event summaries with these counts and durations. */
export const anyEventSummary = (number: fc.Arbitrary<number>, seconds: fc.Arbitrary<number>) =>
  fc.record({
    phone_use_count: number,
    rapid_acceleration_count: number,
    hard_brake_count: number,
    overspeeding_count: number,
    phone_use_time_seconds: seconds,
    overspeeding_time_seconds: seconds,
  });

/** Trips that ingest would store, with all fields. */
export const validTrip = fc
  .tuple(fc.integer({ min: 1e12, max: LAST_START }), fc.nat({ max: 1e9 }))
  .chain(([start, length]) =>
    fc.record({
      kind: fc.constant('trip.processed'),
      fleet_id,
      source_trip_id,
      revision,
      driver_id,
      tracking_id: fc.option(id),
      insurance_period: fc.constantFrom(null, 1 as const, 2 as const, 3 as const),
      trip_start_time: fc.constant(start),
      trip_end_time: fc.constant(start + length),
      duration_seconds: anyAmount,
      distance_miles: anyAmount,
      night_driving_seconds: anyAmount,
      highway_miles: anyAmount,
      night_driving_miles: anyAmount,
      start_latitude: anyLatitude,
      end_latitude: anyLatitude,
      start_longitude: anyLongitude,
      end_longitude: anyLongitude,
      event_summary: anyEventSummary(anyCount, anyAmount),
      events: fc.array(anyTripEvent(timestamp, anyFinite)),
      trail_path: fc.array(fc.record({ timestamp, latitude: anyFinite, longitude: anyFinite, course: anyFinite })),
    }),
  );

const flag = fc.boolean();

/** Trips that the API may return. */
export const anyTrip = fc
  .tuple(
    validTrip,
    fc.record({ is_phone_use: flag, is_rapid_acceleration: flag, is_hard_brake: flag, is_overspeeding: flag }),
  )
  .map(([{ kind, fleet_id, source_trip_id, revision: _, tracking_id, ...trip }, focus_area]) => ({
    ...trip,
    trip_id: 'a'.repeat(32),
    focus_area,
  }));

export const validDeletion = fc.record({ kind: fc.constant('trip.deleted'), fleet_id, source_trip_id, revision });

const name = fc.option(text(256));

/** Profiles that ingest would store, with all fields. */
export const validProfile = fc.record({
  kind: fc.constant('driver.profile'),
  fleet_id,
  driver_id,
  revision,
  first_name: name,
  last_name: name,
  email: name,
  alias: name,
});
