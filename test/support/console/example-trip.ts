import type { TripDetail } from '@milepost/client';
import { tripEvent, tripProcessed } from '../records.ts';

const START = Date.UTC(2025, 0, 15, 8);

const { kind, fleet_id, source_trip_id, revision, tracking_id, ...trip } = tripProcessed({
  start_latitude: 40.1,
  start_longitude: -74.1,
  end_latitude: 40.2,
  end_longitude: -74.2,
  trail_path: [
    { timestamp: START, latitude: 40.1, longitude: -74.1, course: 10 },
    { timestamp: START + 1_800_000, latitude: 40.2, longitude: -74.2, course: 20 },
  ],
  events: [
    tripEvent(9, START + 600_000, 60_000, {
      event_start_latitude: 40.15,
      event_start_longitude: -74.15,
      event_data: { user_speed_mph: 66, speed_limit_mph: 55, max_user_speed_mph: 70.5 },
    }),
  ],
});

/** A trip with two places and an overspeeding event, for tests. */
export const EXAMPLE_TRIP: TripDetail = {
  ...trip,
  trip_id: 'a'.repeat(32),
  focus_area: { is_phone_use: false, is_rapid_acceleration: false, is_hard_brake: false, is_overspeeding: true },
};
