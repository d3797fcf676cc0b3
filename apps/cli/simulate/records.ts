import { addDays, dateOf, MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { type SimulatedRecord, simulateFleet, standardTrip } from '@milepost/sample-fleet';
import { startProgress } from '../progress.ts';

export interface SimulationOptions {
  seed: number;
  drivers: number;
  days: number;
  fleet?: string;
  /** The last day with trips; by default yesterday. */
  end?: string;
  /** The number of standard trips to generate instead of a realistic fleet. */
  standard?: number;
  /** The number of trail points per standard trip. */
  points?: number;
}

function* standardTrips(count: number, options: Parameters<typeof standardTrip>[1]): Generator<SimulatedRecord> {
  for (let index = 0; index < count; index += 1) yield standardTrip(index, options);
}

/** Generates records. Their bytes depend only on the options and the day. */
export function simulatedRecords(options: SimulationOptions, now: number): Iterable<SimulatedRecord> {
  const { seed, drivers, days, fleet: fleetId, standard, points } = options;
  // Yesterday in UTC is the last day that can be complete.
  const endDate = options.end ?? addDays(dateOf(now), -1);
  const common = { seed, drivers, days, endDate, fleetId };
  if (standard === undefined) return simulateFleet({ ...common, now });
  return standardTrips(standard, { ...common, points });
}

const TRIP_START = /"trip_start_time":(\d{13})/;
const HEADER_CHARACTERS = 1_000;

/**
 * Yields the records, and shows a progress bar. If no total is given, it is estimated from how many of `days` are
 * finished, because the trips are roughly ordered by start time.
 */
export function* withProgress(
  records: Iterable<SimulatedRecord>,
  { days, total }: { days: number; total: number | undefined },
): Generator<SimulatedRecord> {
  const progress = startProgress('Simulating', ' records');
  let count = 0;
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  try {
    for (const record of records) {
      yield record;
      count += 1;
      const start = Number(TRIP_START.exec(record.value.slice(0, HEADER_CHARACTERS))?.[1] ?? Number.NaN);
      if (start < first) first = start;
      if (start > last) last = start;
      const share = Math.min(1, Math.max(0, (last - first) / (days * MILLISECONDS_PER_DAY)));
      if (count % 100 === 0) progress.update(count, total ?? (share > 0.01 ? Math.round(count / share) : null));
    }
  } finally {
    progress.stop();
  }
}
