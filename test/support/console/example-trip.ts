import type { TripDetail } from '@milepost/client';
import { tripEvent } from '../records.ts';

/** A trip with two places and an overspeeding event, for tests. */
export const EXAMPLE_TRIP: TripDetail = {
  trip_id: 'a'.repeat(32),
  driver_id: 'driver-1',
  trip_start_time: Date.UTC(2025, 0, 15, 8),
  trip_end_time: Date.UTC(2025, 0, 15, 8, 30),
  duration_seconds: 1_800,
  distance_miles: 12.5,
  insurance_period: null,
  start_latitude: 40.1,
  start_longitude: -74.1,
  end_latitude: 40.2,
  end_longitude: -74.2,
  night_driving_seconds: 0,
  highway_miles: 0,
  night_driving_miles: 0,
  event_summary: {
    phone_use_count: 0,
    rapid_acceleration_count: 0,
    hard_brake_count: 0,
    overspeeding_count: 1,
    phone_use_time_seconds: 0,
    overspeeding_time_seconds: 60,
  },
  focus_area: { is_phone_use: false, is_rapid_acceleration: false, is_hard_brake: false, is_overspeeding: true },
  trail_path: [
    { timestamp: Date.UTC(2025, 0, 15, 8), latitude: 40.1, longitude: -74.1, course: 10 },
    { timestamp: Date.UTC(2025, 0, 15, 8, 30), latitude: 40.2, longitude: -74.2, course: 20 },
  ],
  events: [
    tripEvent(9, Date.UTC(2025, 0, 15, 8, 10), 60_000, {
      event_start_latitude: 40.15,
      event_start_longitude: -74.15,
      event_end_latitude: 40.16,
      event_end_longitude: -74.16,
      event_data: { user_speed_mph: 66, speed_limit_mph: 55, max_user_speed_mph: 70.5 },
    }),
  ],
};
