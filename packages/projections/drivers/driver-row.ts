import fastJson from 'fast-json-stringify';
import { Driver } from '../resources/index.ts';
import { dateOfDay } from '../rollups/calendar-date.ts';

/** A driver as the log tells it; days are numbers since 1970-01-01. */
export interface DriverRow extends Omit<Driver, 'first_travel_date' | 'last_travel_date'> {
  fleet_id: string;
  ordinal: number;
  first_travel_day: number | null;
  last_travel_day: number | null;
}

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
  return `((${profile}::json ->> '${name}')::date - date '1970-01-01')`;
}
