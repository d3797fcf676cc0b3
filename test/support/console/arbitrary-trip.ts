import type { TripDetail, TripEvent } from '@milepost/client';
import fc from 'fast-check';
import {
  anyAmount,
  anyEventSummary,
  anyFinite,
  anyLatitude,
  anyLongitude,
  anyTimestamp,
  anyTripTime,
} from './arbitrary-values.ts';

const place = {
  event_start_timestamp: anyTimestamp,
  event_end_timestamp: anyTimestamp,
  event_start_latitude: anyFinite,
  event_start_longitude: anyFinite,
  event_end_latitude: anyFinite,
  event_end_longitude: anyFinite,
};

const speeds = fc.record({ user_speed_mph: anyFinite, speed_limit_mph: anyFinite, max_user_speed_mph: anyFinite });

/** Any trip event that a record may contain, for tests. */
const anyTripEvent: fc.Arbitrary<TripEvent> = fc.oneof(
  fc.record({
    event_type: fc.constant(9 as const),
    event_name: fc.constant('OVERSPEEDING' as const),
    ...place,
    event_data: speeds,
  }),
  fc.record({
    event_type: fc.constant(2 as const),
    event_name: fc.constant('HARD_BRAKE' as const),
    ...place,
    event_data: fc.constant({}),
  }),
);

const flag = fc.boolean();

/** Any trip that the service may return, for tests. */
export const anyTrip: fc.Arbitrary<TripDetail> = fc.record({
  trip_id: fc.constant('a'.repeat(32)),
  driver_id: fc.constant('driver-1'),
  trip_start_time: anyTripTime,
  trip_end_time: anyTripTime,
  duration_seconds: anyAmount,
  distance_miles: anyAmount,
  insurance_period: fc.constantFrom(null, 1 as const, 2 as const, 3 as const),
  start_latitude: anyLatitude,
  start_longitude: anyLongitude,
  end_latitude: anyLatitude,
  end_longitude: anyLongitude,
  night_driving_seconds: anyAmount,
  highway_miles: anyAmount,
  night_driving_miles: anyAmount,
  event_summary: anyEventSummary,
  focus_area: fc.record({
    is_phone_use: flag,
    is_rapid_acceleration: flag,
    is_hard_brake: flag,
    is_overspeeding: flag,
  }),
  trail_path: fc.array(
    fc.record({ timestamp: anyTimestamp, latitude: anyFinite, longitude: anyFinite, course: anyFinite }),
  ),
  events: fc.array(anyTripEvent),
});
