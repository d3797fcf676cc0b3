import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import type { Statement, Transaction } from '@milepost/postgres';
import { oncePerRange } from '../log/once-per-range.ts';
import { CHANGED_TRIPS, currentTrip } from '../log/range.ts';
import { dateOfDay } from './calendar-date.ts';
import { type ExactSums, SUMS_OF_TRIPS } from './exact-sums.ts';

/** A driver's day on which trips were driven. */
export interface DrivenDay {
  fleet_id: string;
  driver_id: string;
  /** Number since 1970-01-01. */
  day: number;
  sums: ExactSums;
}

/** A driver's day in which a trip was added, changed, moved or deleted; nothing may be driven on it any more. */
export interface TouchedDay extends Omit<DrivenDay, 'sums'> {
  sums: ExactSums | null;
}

/**
 * SQL of the exact sums of a driver's day, as `sums`: of the trips that are current at position `asOf`; no row without such.
 * Sums of numeric are exact, so the order of trips never matters.
 */
export function sumsOfDay(driver: string, day: string, asOf: string): string {
  return `
    SELECT ${SUMS_OF_TRIPS} AS sums FROM log.stored_event event
    WHERE event.fleet_id = ${driver}.fleet_id AND event.driver_id = ${driver}.driver_id
      AND event.trip_start_time >= ${day} * ${MILLISECONDS_PER_DAY}::bigint
      AND event.trip_start_time < (${day} + 1) * ${MILLISECONDS_PER_DAY}::bigint
      AND ${currentTrip('event', asOf)}
    HAVING count(*) > 0`;
}

/**
 * The trips of a day are found through LATERAL, one index range for each touched day: left to choose, the planner may scan
 * the whole log for a batch of a few trips.
 */
const READ_TOUCHED_DAYS: Statement = {
  name: 'rollups:read-touched-days',
  text: `
    SELECT changed.*, driven.sums
    FROM (SELECT DISTINCT fleet_id, driver_id, trip_start_time / ${MILLISECONDS_PER_DAY} AS day FROM (${CHANGED_TRIPS}) trip) changed
    LEFT JOIN LATERAL (${sumsOfDay('changed', 'changed.day', '$2')}) driven ON true`,
};

/**
 * Computes anew, from the trips that are current at `range.through`, every driver's day in which a trip was added,
 * changed, moved or deleted in the range. A late, a corrected and a replayed trip are thereby the same case.
 */
export const readTouchedDays = oncePerRange(async (transaction, { after, through }) => {
  return await transaction.rows<TouchedDay>(READ_TOUCHED_DAYS, [after, through]);
});

/**
 * Removes the touched days on which nothing is driven any more.
 *
 * @param statement deletes the days given as arrays of fleet, driver and date
 */
export async function deleteEmptyDays(
  transaction: Transaction,
  days: readonly TouchedDay[],
  statement: Statement,
): Promise<void> {
  const empty = days.filter((day) => !isDriven(day));
  if (empty.length === 0) return;
  await transaction.execute(statement, [
    empty.map(({ fleet_id }) => fleet_id),
    empty.map(({ driver_id }) => driver_id),
    empty.map(({ day }) => dateOfDay(day)),
  ]);
}

export function isDriven(day: TouchedDay): day is DrivenDay {
  return day.sums !== null;
}
