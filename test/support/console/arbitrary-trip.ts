import type { TripDetail } from '@milepost/client';
import fc from 'fast-check';
import { anyEventSummary, anyTripEvent } from '../arbitrary-records.ts';
import {
  anyAmount,
  anyCount,
  anyFinite,
  anyLatitude,
  anyLongitude,
  anyTimestamp,
  anyTripTime,
} from './arbitrary-values.ts';

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
  event_summary: anyEventSummary(anyCount, anyAmount),
  focus_area: fc.record({
    is_phone_use: flag,
    is_rapid_acceleration: flag,
    is_hard_brake: flag,
    is_overspeeding: flag,
  }),
  trail_path: fc.array(
    fc.record({ timestamp: anyTimestamp, latitude: anyFinite, longitude: anyFinite, course: anyFinite }),
  ),
  events: fc.array(anyTripEvent(anyTimestamp, anyFinite)),
});
