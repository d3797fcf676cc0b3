import { driverProfile, tripDeleted, tripProcessed } from '../records.ts';

const MILLISECONDS_PER_DAY = 86_400_000;
const DRIVERS = 9;
const DAYS = 60;

/**
 * Returns the records for the trips `from` to `to` in the last two months. They include corrections in place,
 * corrections that move a trip to another driver and day, deletions, restored trips, late revisions and profiles.
 */
export function history(from: number, to: number): object[] {
  const today = Math.floor(Date.now() / MILLISECONDS_PER_DAY) * MILLISECONDS_PER_DAY;
  return Array.from({ length: to - from + 1 }, (_, index) => from + index).flatMap((number): object[] => {
    const source_trip_id = `trip-${number}`;
    const trip_start_time = today - (1 + (number % DAYS)) * MILLISECONDS_PER_DAY + ((number * 7_919) % 80_000) * 1_000;
    const driver_id = `driver-${number % DRIVERS}`;
    const distance_miles = (number % 97) + 0.1;
    const trip = tripProcessed({ source_trip_id, driver_id, trip_start_time, distance_miles });
    const moved = { ...trip, revision: 3, driver_id: `driver-${(number + 4) % DRIVERS}` };
    if (number % 5 === 0) return [trip, moved, { ...trip, revision: 2, distance_miles: 1 }];
    if (number % 7 === 0) return [trip, tripDeleted({ source_trip_id, revision: 2 })];
    if (number % 11 === 0) return [trip, tripDeleted({ source_trip_id, revision: 2 }), { ...trip, revision: 4 }];
    return number % 13 === 0
      ? [trip, driverProfile({ driver_id, revision: number, alias: `Alias ${number}` })]
      : [trip];
  });
}
