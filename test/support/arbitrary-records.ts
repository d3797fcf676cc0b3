import { TRIP_EVENT_NAMES, type TripEvent, type TripEventType } from '@milepost/domain/vocabulary';
import fc from 'fast-check';

const LAST_START = Date.UTC(2025, 0, 20);

/** Numbers, including the extreme values of a double. */
const amount = fc.oneof(
  fc.constantFrom(0, -0, 5e-324, 1e-7, 0.1 + 0.2, 1 / 3, 2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2, 1e21, Number.MAX_VALUE),
  fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
);
const finite = fc.oneof(
  amount,
  amount.map((value) => -value),
);
const degrees = (most: number) =>
  fc.oneof(fc.constantFrom(0, -0, 1e-7, -1e-7), fc.double({ min: -most, max: most, noNaN: true }));
const count = fc.oneof(fc.constant(-0), fc.maxSafeNat());
const timestamp = fc.oneof(fc.constant(-0), fc.maxSafeInteger());

const text = (maximum: number) =>
  fc.string({ unit: 'binary', minLength: 1, maxLength: maximum }).filter((value) => !value.includes('\0'));
const id = text(256).filter((value) => value !== '.' && value !== '..');
const driver_id = id.filter((value) => !/\p{Cc}/u.test(value));
const fleet_id = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
const source_trip_id = text(128);
const revision = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

const overspeeding = fc.record({ user_speed_mph: finite, speed_limit_mph: finite, max_user_speed_mph: finite });
const tripEvent = fc.constantFrom<TripEventType>(1, 2, 7, 9).chain(
  (event_type): fc.Arbitrary<TripEvent> =>
    fc.record({
      event_type: fc.constant(event_type),
      event_name: fc.constant(TRIP_EVENT_NAMES[event_type]),
      event_start_timestamp: timestamp,
      event_end_timestamp: timestamp,
      event_start_latitude: finite,
      event_start_longitude: finite,
      event_end_latitude: finite,
      event_end_longitude: finite,
      event_data: event_type === 9 ? overspeeding : fc.constant({}),
    }),
);

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
      insurance_period: fc.constantFrom(null, 1, 2, 3),
      trip_start_time: fc.constant(start),
      trip_end_time: fc.constant(start + length),
      duration_seconds: amount,
      distance_miles: amount,
      night_driving_seconds: amount,
      highway_miles: amount,
      night_driving_miles: amount,
      start_latitude: degrees(90),
      end_latitude: degrees(90),
      start_longitude: degrees(180),
      end_longitude: degrees(180),
      event_summary: fc.record({
        phone_use_count: count,
        rapid_acceleration_count: count,
        hard_brake_count: count,
        overspeeding_count: count,
        phone_use_time_seconds: amount,
        overspeeding_time_seconds: amount,
      }),
      events: fc.array(tripEvent),
      trail_path: fc.array(fc.record({ timestamp, latitude: finite, longitude: finite, course: finite })),
    }),
  );

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
