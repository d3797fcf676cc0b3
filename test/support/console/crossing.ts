import type { TripEvent, TripEventType, TripProcessed } from '@milepost/domain/vocabulary';
import { DEFAULT_TRIP_START, eventSummary, tripEvent, tripProcessed } from '../records.ts';

const MINUTE = 60_000;

/** The start of the trip `crossing()`. */
export const CROSSING_START = DEFAULT_TRIP_START;

const at = (second: number) => CROSSING_START + second * 1_000;
/** The trip goes east at a constant speed of 0.01 degrees every five minutes. */
const longitudeAt = (second: number) => -74 + second / 30_000;

function event(type: TripEventType, start: number, end: number, overrides: Partial<TripEvent> = {}): TripEvent {
  return tripEvent(type, at(start), (end - start) * 1_000, {
    event_start_latitude: 40,
    event_start_longitude: longitudeAt(Math.max(start, 0)),
    event_end_latitude: 40,
    event_end_longitude: longitudeAt(end),
    ...overrides,
  });
}

const speeds = (user_speed_mph: number, max_user_speed_mph: number) => ({
  event_data: { user_speed_mph, speed_limit_mph: 55, max_user_speed_mph },
});

/**
 * A trip in which every number is different. Its path follows a parallel for forty minutes, and its points are recorded
 * in reverse order. One point and the last of its six trip events are out of range.
 */
export function crossing(overrides: Partial<TripProcessed> = {}): TripProcessed {
  const points = Array.from({ length: 9 }, (_, index) => ({
    timestamp: at(index * 300),
    latitude: 40,
    longitude: longitudeAt(index * 300),
    course: 90 + index,
  })).reverse();
  const nowhere = { timestamp: at(100), latitude: 91, longitude: -74, course: 0 };
  return tripProcessed({
    source_trip_id: 'crossing',
    driver_id: 'long-hauler',
    insurance_period: 2,
    trip_start_time: CROSSING_START - 2 * MINUTE,
    trip_end_time: at(2_400) + MINUTE,
    duration_seconds: 2_590,
    distance_miles: 34.56,
    highway_miles: 21.04,
    night_driving_seconds: 75,
    night_driving_miles: 7.89,
    start_latitude: 40,
    start_longitude: longitudeAt(0),
    end_latitude: 40,
    end_longitude: longitudeAt(2_400),
    event_summary: eventSummary({ phone: [3, 150], speeding: [1, 45], brakes: 7 }),
    trail_path: [...points.slice(0, 4), nowhere, ...points.slice(4)],
    events: [
      event(7, -60, 90),
      event(9, 600, 900, speeds(60, 64.9)),
      event(2, 900, 902),
      event(2, 900, 902),
      event(9, 1_500, 1_800, speeds(62, 65)),
      event(1, 2_000, 2_003, { event_start_latitude: -90.5 }),
    ],
    ...overrides,
  });
}
