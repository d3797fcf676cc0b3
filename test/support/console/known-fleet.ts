import { startOfDay } from '@milepost/domain/calendar';
import type { TripProcessed } from '@milepost/domain/vocabulary';
import { driverProfile, eventSummary, tripProcessed } from '../records.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

/**
 * The current time for `knownRecords`, a Thursday at noon. The last six months begin on Friday, 20 September 2024, and
 * the last complete week begins on Monday, 10 March.
 */
export const KNOWN_NOW = Date.UTC(2025, 2, 20, 12);

/** An id that must be escaped in a link and in a shell. */
export const KNOWN_DRIVER = "d/1 & o'co?#%";
/** A driver with a trip every noon and every midnight, from noon on 1 November to the first moment of 24 February. */
export const REGULAR = 'regular';
const REGULAR_TRIPS = 230;
/**
 * A driver with one trip on each of eleven days. The trips differ in length but have the same tracking id. The first
 * trip has no trip events.
 */
export const TRACKED = 'tracked';
export const TRACKING_ID = 'a/b & c?';
const TRACKED_TRIPS = 11;
/** A driver without a profile whose only trip is from this morning. */
export const BEGINNER = 'beginner';
/** The number of drivers with a profile but no trips. */
const IDLE_DRIVERS = 225;

interface Driving extends Partial<TripProcessed> {
  day: `${number}-${number}-${number}`;
  minutes?: number;
}

function trip({ day, minutes = 30, ...fields }: Driving): TripProcessed {
  const start = fields.trip_start_time ?? startOfDay(day) + 3 * HOUR;
  return tripProcessed({
    driver_id: KNOWN_DRIVER,
    source_trip_id: day,
    trip_start_time: start,
    trip_end_time: start + minutes * MINUTE,
    duration_seconds: minutes * 60,
    ...fields,
  });
}

type Counts = [phone: number, seconds: number, accelerations: number, brakes: number, speed: number, over: number];

/** Returns a trip's event summary with these counts and seconds. */
const events = (...[phone, seconds, accelerations, brakes, speed, over]: Counts) => ({
  event_summary: eventSummary({ phone: [phone, seconds], speeding: [speed, over], brakes, accelerations }),
});

/**
 * The trips of `KNOWN_DRIVER`: one before the history, one in each grade, two on one day, and one from this morning.
 */
function knownTrips(): TripProcessed[] {
  return [
    trip({ day: '2024-09-12' }),
    trip({ day: '2024-09-21', ...events(40, 900, 30, 30, 10, 600), night_driving_seconds: 1_200 }),
    trip({ day: '2024-09-23', ...events(5, 195, 1, 8, 4, 500), minutes: 75, distance_miles: 48.04, highway_miles: 0 }),
    trip({ day: '2025-02-10', ...events(1, 60, 2, 3, 1, 90), minutes: 130, distance_miles: 1_234.56 }),
    trip({ day: '2025-03-17', ...events(0, 0, 0, 0, 0, 0), minutes: 10 }),
    trip({
      day: '2025-03-17',
      source_trip_id: 'evening',
      trip_start_time: Date.UTC(2025, 2, 17, 19),
      ...events(3, 240, 0, 0, 0, 0),
    }),
    trip({ day: '2025-03-19', ...events(0, 0, 1, 0, 0, 0), distance_miles: 30 }),
    trip({ day: '2025-03-20', minutes: 45 }),
  ];
}

/** Records with known values on known days up to `KNOWN_NOW`, so that a test can check everything that a view shows. */
export function knownRecords(): object[] {
  const name = { first_name: 'Ada', last_name: 'Byron', alias: '=Countess', email: 'ada@example.org' };
  return [
    driverProfile({ driver_id: KNOWN_DRIVER, ...name }),
    ...knownTrips(),
    trip({ day: '2025-03-20', driver_id: BEGINNER, source_trip_id: 'begun' }),
    driverProfile({ driver_id: REGULAR, first_name: null, last_name: null, alias: 'Van "3", red', email: null }),
    ...Array.from({ length: REGULAR_TRIPS }, (_, index) =>
      trip({
        day: '2024-11-01',
        driver_id: REGULAR,
        source_trip_id: `regular-${index}`,
        trip_start_time: Date.UTC(2024, 10, 1, 12) + index * 12 * HOUR,
        distance_miles: 1 + (index % 7),
        trail_path: [],
      }),
    ),
    driverProfile({ driver_id: TRACKED, first_name: null, last_name: 'Tracked', email: null }),
    ...Array.from({ length: TRACKED_TRIPS }, (_, index) =>
      trip({
        day: '2025-03-01',
        driver_id: TRACKED,
        source_trip_id: `tracked-${index}`,
        tracking_id: TRACKING_ID,
        trip_start_time: Date.UTC(2025, 2, 1 + index, 6, 30),
        minutes: 55 + index,
        distance_miles: 10 + index / 4,
        ...(index === 0 ? events(0, 0, 0, 0, 0, 0) : {}),
      }),
    ),
    ...Array.from({ length: IDLE_DRIVERS }, (_, index) =>
      driverProfile({
        driver_id: `idle-${String(index).padStart(3, '0')}`,
        first_name: 'Idle',
        last_name: `${index}`,
        email: null,
      }),
    ),
  ];
}
