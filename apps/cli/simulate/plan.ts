import { addDays, dateOf, isCalendarDate } from '@milepost/domain/calendar';
import { type SimulatedRecord, simulateFleet, standardTrip } from '@milepost/sample-fleet';

export interface SimulationOptions {
  seed: number;
  drivers: number;
  days: number;
  fleet?: string;
  /** The last day with trips; yesterday unless named. */
  end?: string;
  /** So many standard trips instead of a realistic fleet. */
  standard?: number;
  /** Trail points of each standard trip. */
  points?: number;
}

/** Yesterday in UTC: the last day that can be complete. */
export function yesterday(now: number): string {
  return addDays(dateOf(now), -1);
}

function* standardTrips(count: number, options: Parameters<typeof standardTrip>[1]): Generator<SimulatedRecord> {
  for (let index = 0; index < count; index += 1) yield standardTrip(index, options);
}

/** The records that the options ask for; the same options and day give the same bytes. */
export function simulatedRecords(options: SimulationOptions, now: number): Iterable<SimulatedRecord> {
  const { seed, drivers, days, fleet, standard, points } = options;
  const endDate = options.end !== undefined && isCalendarDate(options.end) ? options.end : yesterday(now);
  const common = { seed, drivers, days, endDate, ...(fleet === undefined ? {} : { fleetId: fleet }) };
  if (standard === undefined) return simulateFleet({ ...common, now });
  return standardTrips(standard, points === undefined ? common : { ...common, points });
}
