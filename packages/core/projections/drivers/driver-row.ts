import { dateOfDay } from '@milepost/domain/calendar';
import { DRIVER_PROFILE } from '@milepost/domain/vocabulary';
import { columns, type RowOf } from '@milepost/postgres';
import { dayNumberOf } from '@milepost/postgres/calendar';
import fastJson from 'fast-json-stringify';
import { renderedRows } from '../log/rendered-rows.ts';
import { Driver } from '../resources.ts';

/** What the log says about a driver. Days are counted from 1970-01-01. */
export const DRIVER = {
  fleet_id: 'text',
  driver_id: 'text',
  ...columns('text?', 'first_name', 'last_name', 'email', 'alias'),
  ordinal: 'number',
  ...columns('number?', 'first_travel_day', 'last_travel_day'),
} as const;
type DriverRow = RowOf<typeof DRIVER>;

const renderDriver = fastJson(Driver);

/** Returns the driver's JSON as it appears in the driver list and the summaries. */
export function toDriver(row: DriverRow): string {
  const { first_travel_day, last_travel_day } = row;
  return renderDriver({
    ...row,
    first_travel_date: first_travel_day === null ? null : dateOfDay(first_travel_day),
    last_travel_date: last_travel_day === null ? null : dateOfDay(last_travel_day),
  });
}

/** Writes drivers' rows. */
export const driverRows = renderedRows<DriverRow>({
  projection: 'drivers',
  key: ['fleet_id', 'driver_id'],
  columns: {
    fleet_id: ['text', ({ fleet_id }) => fleet_id],
    driver_id: ['text', ({ driver_id }) => driver_id],
    ordinal: ['bigint', ({ ordinal }) => ordinal],
  },
  text: ['profile', toDriver],
});

/**
 * Returns an SQL expression for a date in a driver's JSON, in days since 1970-01-01; it is null if the JSON lacks this
 * date.
 */
export function dayInProfile(name: 'first_travel_date' | 'last_travel_date', profile: string): string {
  return dayNumberOf(`(${profile}::json ->> '${name}')::date`);
}

/**
 * Returns SQL that selects the latest profile of `driver` (an alias in the outer query) at position `asOf`: one row, or
 * no row if there is no profile.
 */
export function profileAsOf(driver: string, asOf: string): string {
  return `SELECT * FROM stored_event event
    WHERE event.kind = ${DRIVER_PROFILE} AND event.fleet_id = ${driver}.fleet_id AND event.driver_id = ${driver}.driver_id
      AND event.position <= ${asOf}
    ORDER BY event.revision DESC LIMIT 1`;
}
