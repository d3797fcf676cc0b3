import { addDays, dateOf, startOfDay } from '@milepost/domain/calendar';
import type { TripEvent, TripProcessed } from '@milepost/domain/vocabulary';
import { simulateFleet } from '@milepost/sample-fleet';
import { driverProfile, tripEvent, tripProcessed } from '../records.ts';

const SEED = 11;
const HOUR = 3_600_000;
const LONG_POINTS = 20_000;

/** A realistic fleet of twelve drivers over forty days, with each trip published once. */
export function simulatedRecords(fleetId: string, now: number): object[] {
  const options = { seed: SEED, drivers: 12, days: 40, endDate: addDays(dateOf(now), -1), fleetId, now, dirt: false };
  return Array.from(simulateFleet(options), ({ value }): object => JSON.parse(value));
}

function overspeeding(start: number, [latitude, longitude]: [number, number], most: number): TripEvent {
  return tripEvent(9, start, 90_000, {
    event_start_latitude: latitude,
    event_start_longitude: longitude,
    event_end_latitude: latitude,
    event_end_longitude: longitude,
    event_data: { user_speed_mph: most - 3, speed_limit_mph: 55, max_user_speed_mph: most },
  });
}

/** A spiral trip of 20,000 points, one per second, with forty trip events. */
export function longTrip(now: number): TripProcessed {
  const start = startOfDay(addDays(dateOf(now), -2)) + 6 * HOUR;
  const place = (index: number): [number, number] => {
    const turn = index / 900;
    const radius = 0.02 + index / 100_000;
    return [39.75 + radius * Math.sin(turn), -104.99 + 1.3 * radius * Math.cos(turn)];
  };
  const [first, last] = [place(0), place(LONG_POINTS - 1)];
  return tripProcessed({
    source_trip_id: 'long',
    driver_id: 'long-hauler',
    tracking_id: 'long haul/1',
    trip_start_time: start,
    trip_end_time: start + (LONG_POINTS - 1) * 1_000,
    duration_seconds: LONG_POINTS - 1,
    distance_miles: 240.5,
    highway_miles: 200,
    start_latitude: first[0],
    start_longitude: first[1],
    end_latitude: last[0],
    end_longitude: last[1],
    trail_path: Array.from({ length: LONG_POINTS }, (_, index) => {
      const [latitude, longitude] = place(index);
      return { timestamp: start + index * 1_000, latitude, longitude, course: (index / 2.5) % 360 };
    }),
    events: Array.from({ length: 40 }, (_, index) =>
      overspeeding(start + (200 + index * 480) * 1_000, place(200 + index * 480), 60 + (index % 5) * 4),
    ),
  });
}

/**
 * A driver with three trips: one from two days ago, one from three days ago without a path, and one that ended
 * recently. The recent trip began two hours ago or at midnight, whichever was later.
 */
export function fewRecords(fleetId: string, now: number): object[] {
  const day = (back: number) => startOfDay(addDays(dateOf(now), -back)) + 8 * HOUR;
  const trip = { fleet_id: fleetId, driver_id: 'driver-1' };
  const begin = Math.max(day(0) - 8 * HOUR, now - 2 * HOUR);
  const end = Math.floor((begin + now) / 2);
  return [
    driverProfile({ fleet_id: fleetId }),
    tripProcessed({ ...trip, source_trip_id: 'seen', trip_start_time: day(2), trip_end_time: day(2) + HOUR / 2 }),
    tripProcessed({ ...trip, source_trip_id: 'bare', trip_start_time: day(3), trail_path: [], events: [] }),
    tripProcessed({ ...trip, source_trip_id: 'fresh', trip_start_time: begin, trip_end_time: end }),
  ];
}
