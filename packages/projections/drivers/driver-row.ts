import { dateOfDay, dayNumberOf } from '@milepost/domain/calendar';
import { DRIVER_PROFILE } from '@milepost/domain/stored-event';
import { columns, nullable, number, type RowOf, text } from '@milepost/postgres';
import fastJson from 'fast-json-stringify';
import { Driver } from '../resources.ts';

/** A driver as the log tells it; days are numbers since 1970-01-01. */
export const DRIVER = {
  fleet_id: text,
  driver_id: text,
  ...columns(nullable(text), 'first_name', 'last_name', 'email', 'alias'),
  ordinal: number,
  ...columns(nullable(number), 'first_travel_day', 'last_travel_day'),
};
export type DriverRow = RowOf<typeof DRIVER>;

const renderDriver = fastJson(Driver);

/** The driver's JSON as the driver list and the summaries serve it. */
export function toDriver(row: DriverRow): string {
  const { first_travel_day, last_travel_day } = row;
  return renderDriver({
    ...row,
    first_travel_date: first_travel_day === null ? null : dateOfDay(first_travel_day),
    last_travel_date: last_travel_day === null ? null : dateOfDay(last_travel_day),
  });
}

/** SQL of a day, as a number since 1970-01-01, out of the JSON that is served; null where it has none. */
export function dayInProfile(name: 'first_travel_date' | 'last_travel_date', profile: string): string {
  return dayNumberOf(`(${profile}::json ->> '${name}')::date`);
}

/** SQL of the profile of `driver` (its alias in the query around it) that is the newest at position `asOf`: one row or none. */
export function profileAsOf(driver: string, asOf: string): string {
  return `SELECT * FROM log.stored_event event
    WHERE event.kind = ${DRIVER_PROFILE} AND event.fleet_id = ${driver}.fleet_id AND event.driver_id = ${driver}.driver_id
      AND event.position <= ${asOf}
    ORDER BY event.revision DESC LIMIT 1`;
}
