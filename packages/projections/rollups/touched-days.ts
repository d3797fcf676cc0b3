import { dateOfDay, dayOfTime, startOfDayNumber } from '@milepost/domain/calendar';
import {
  nullable,
  number,
  present,
  type RowOf,
  statement,
  type Transaction,
  table,
  tableStatement,
  text,
} from '@milepost/postgres';
import { oncePerRange } from '../log/once-per-range.ts';
import { CHANGED_TRIPS, currentTrip } from '../log/range.ts';
import { SUMS_OF_TRIPS } from './sums.ts';

/** A driver's day on which trips were driven. */
export const DRIVEN_DAY = {
  fleet_id: text,
  driver_id: text,
  /** Number since 1970-01-01. */
  day: number,
  /** See `ExactSums`. */
  sums: text,
};
export type DrivenDay = RowOf<typeof DRIVEN_DAY>;

/** A driver's day in which a trip was added, changed, moved or deleted; nothing may be driven on it any more. */
export type TouchedDay = RowOf<typeof READ_TOUCHED_DAYS>;

/**
 * SQL of the exact sums of a driver's day, as `sums`: of the trips that are current at position `asOf`; no row without such.
 * Sums of numeric are exact, so the order of trips never matters.
 */
export function sumsOfDay(driver: string, day: string, asOf: string): string {
  return `
    SELECT ${SUMS_OF_TRIPS} AS sums FROM log.stored_event event
    WHERE event.fleet_id = ${driver}.fleet_id AND event.driver_id = ${driver}.driver_id
      AND event.trip_start_time >= ${startOfDayNumber(day)}
      AND event.trip_start_time < ${startOfDayNumber(`(${day} + 1)`)}
      AND ${currentTrip('event', asOf)}
    HAVING count(*) > 0`;
}

/**
 * The trips of a day are found through LATERAL, one index range for each touched day: left to choose, the planner may scan
 * the whole log for a batch of a few trips.
 */
const READ_TOUCHED_DAYS = statement('rollups:read-touched-days', {
  ...DRIVEN_DAY,
  driver_id: present(text),
  sums: nullable(text),
})`
  SELECT changed.*, driven.sums
  FROM (SELECT DISTINCT fleet_id, driver_id, ${dayOfTime('trip_start_time')} AS day FROM (${CHANGED_TRIPS}) trip) changed
  LEFT JOIN LATERAL (${sumsOfDay('changed', 'changed.day', '$2')}) driven ON true`;

/**
 * Computes anew, from the trips that are current at `range.through`, every driver's day in which a trip was added,
 * changed, moved or deleted in the range. A late, a corrected and a replayed trip are thereby the same case.
 */
export const readTouchedDays = oncePerRange(async (transaction, { after, through }) => {
  return await transaction.rows(READ_TOUCHED_DAYS, [after, through]);
});

/**
 * Makes what removes the touched days on which nothing is driven any more.
 *
 * @param isOf SQL of whether the row `rollup` is that of the date `empty.date`
 */
export function emptyDays(projection: string, isOf: string) {
  const deleteDays = tableStatement(`${projection}:delete`)`
    DELETE FROM ${table} rollup USING unnest($1::text[], $2::text[], $3::date[]) AS empty (fleet_id, driver_id, date)
    WHERE rollup.fleet_id = empty.fleet_id AND rollup.driver_id = empty.driver_id AND ${isOf}`;
  return async (transaction: Transaction, days: readonly TouchedDay[], table: string): Promise<void> => {
    const empty = days.filter((day) => !isDriven(day));
    if (empty.length === 0) return;
    await transaction.execute(deleteDays(table), [
      empty.map(({ fleet_id }) => fleet_id),
      empty.map(({ driver_id }) => driver_id),
      empty.map(({ day }) => dateOfDay(day)),
    ]);
  };
}

export function isDriven(day: TouchedDay): day is DrivenDay {
  return day.sums !== null;
}
