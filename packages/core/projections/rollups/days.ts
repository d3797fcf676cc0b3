import { DAYS_PER_WEEK, dateOfDay } from '@milepost/domain/calendar';
import { type RowOf, statement, type Transaction } from '@milepost/postgres';
import { dayOfTime, startOfDayNumber } from '@milepost/postgres/calendar';
import { table, tableStatement } from '@milepost/postgres/table-statement';
import type { PositionRange } from '../engine/index.ts';
import { CHANGED_TRIPS, currentTrip } from '../log/range.ts';
import { renderedRows } from '../log/rendered-rows.ts';
import { renderDay, renderWeek, SUMS_OF_TRIPS, toDrivingFigures } from './sums.ts';

/** A driver's day with trips. */
const DRIVEN_DAY = {
  fleet_id: 'text',
  driver_id: 'text',
  /** Days since 1970-01-01. */
  day: 'number',
  /** See `ExactSums`. */
  sums: 'text',
} as const;
type DrivenDay = RowOf<typeof DRIVEN_DAY>;

/** A driver's day on which a trip was added, changed, moved or deleted. The day may no longer have any trips. */
type TouchedDay = RowOf<typeof READ_TOUCHED_DAYS>;

/**
 * Returns SQL that selects, as `sums`, the exact sums of a driver's trips on one day, as of position `asOf`. Without
 * such trips, the SQL returns no row. Sums of numeric values are exact, so the order of the trips does not matter.
 */
export function sumsOfDay(driver: string, day: string, asOf: string): string {
  return `
    SELECT ${SUMS_OF_TRIPS} AS sums FROM stored_event event
    WHERE event.fleet_id = ${driver}.fleet_id AND event.driver_id = ${driver}.driver_id
      AND event.trip_start_time >= ${startOfDayNumber(day)}
      AND event.trip_start_time < ${startOfDayNumber(`(${day} + 1)`)}
      AND ${currentTrip('event', asOf)}
    HAVING count(*) > 0`;
}

/**
 * LATERAL finds the trips of each touched day in one range of an index. Without LATERAL, the planner may scan the whole
 * log for a batch of a few trips.
 */
const READ_TOUCHED_DAYS = statement('rollups:read-touched-days', { ...DRIVEN_DAY, driver_id: 'text!', sums: 'text?' })`
  SELECT changed.*, driven.sums
  FROM (SELECT DISTINCT fleet_id, driver_id, ${dayOfTime('trip_start_time')} AS day FROM (${CHANGED_TRIPS}) trip) changed
  LEFT JOIN LATERAL (${sumsOfDay('changed', 'changed.day', '$2')}) driven ON true`;

const touchedDays = new WeakMap<Transaction, { range: PositionRange; days: Promise<TouchedDay[]> }>();

/**
 * Finds every driver's day on which the range adds, changes, moves or deletes a trip. Recomputes the sums of these days
 * from the trips that are current at `range.through`. Late, corrected and replayed trips therefore need no special
 * treatment. Both rollups apply a batch in the same transaction, and the log is read only once for the two of them.
 */
export async function readTouchedDays(transaction: Transaction, range: PositionRange): Promise<TouchedDay[]> {
  const known = touchedDays.get(transaction);
  if (known?.range.after === range.after && known.range.through === range.through) return await known.days;
  const days = transaction.rows(READ_TOUCHED_DAYS, [range.after, range.through]);
  touchedDays.set(transaction, { range, days });
  return await days;
}

/**
 * Returns a function that deletes the touched days without trips.
 *
 * @param isOf the SQL condition that the row `rollup` belongs to the date `empty.date`
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

/** Writes the summaries of drivers' days. */
export const dailyRows = renderedRows<DrivenDay>({
  projection: 'daily_rollups',
  key: ['fleet_id', 'driver_id', 'date'],
  columns: {
    fleet_id: ['text', ({ fleet_id }) => fleet_id],
    driver_id: ['text', ({ driver_id }) => driver_id],
    date: ['date', ({ day }) => dateOfDay(day)],
  },
  text: ['summary', ({ day, sums }) => renderDay({ ...toDrivingFigures(sums), date: dateOfDay(day) })],
});

/** A driver's week to date, from Monday through one of the days with trips. */
export const DRIVEN_WEEK = {
  ...DRIVEN_DAY,
  /** The Monday, in days since 1970-01-01. `day` is the last day in the sums and always has trips. */
  week_start: 'number',
} as const;
type DrivenWeek = RowOf<typeof DRIVEN_WEEK>;

/** Writes drivers' week-to-date rows, one for each day with trips. */
export const weeklyRows = renderedRows<DrivenWeek>({
  projection: 'weekly_rollups',
  key: ['fleet_id', 'driver_id', 'start_date', 'through_date'],
  columns: {
    fleet_id: ['text', ({ fleet_id }) => fleet_id],
    driver_id: ['text', ({ driver_id }) => driver_id],
    start_date: ['date', ({ week_start }) => dateOfDay(week_start)],
    through_date: ['date', ({ day }) => dateOfDay(day)],
    sums: ['text', ({ sums }) => sums],
  },
  text: [
    'totals',
    ({ week_start, sums }) =>
      renderWeek({
        ...toDrivingFigures(sums),
        start_date: dateOfDay(week_start),
        end_date: dateOfDay(week_start + DAYS_PER_WEEK - 1),
      }),
  ],
});
