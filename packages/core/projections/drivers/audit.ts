import { DRIVER_PROFILE, TRIP_PROCESSED } from '@milepost/domain/vocabulary';
import type { Audit, AuditedField } from '../engine/index.ts';
import { DATE_OF_TRIP, isNotSetAside, readableJson, TRIPS_THAT_EXIST } from '../log/audit.ts';

const NAMES_A_DRIVER = `kind IN (${TRIP_PROCESSED}, ${DRIVER_PROFILE})`;
const NAMES = ['first_name', 'last_name', 'email', 'alias'];
const KEY = `concat(driver.fleet_id, '/', driver.driver_id)`;

/** The names are JSON, so that no character in a name can be mistaken for the separator between fields. */
const names = NAMES.map((name): [string, AuditedField] => {
  const json = `to_json(profile.${name})`;
  return [name, [json, json]];
});

/**
 * Computes the drivers with their latest names and their days of travel, in the order in which effective stored events
 * first name the drivers. The causes of a row are the stored event that first names the driver, the driver's profiles,
 * and the trips on the first and last day of travel.
 */
export const audit: Audit = {
  fields: {
    ordinal: ['row_number() OVER (PARTITION BY driver.fleet_id ORDER BY driver.first_position)', 'driver.ordinal'],
    driver_id: ['driver.driver_id', 'profile.driver_id'],
    ...Object.fromEntries(names),
    first_travel_date: ['travel.first_date', 'profile.first_travel_date'],
    last_travel_date: ['travel.last_date', 'profile.last_travel_date'],
  },
  expected: (value) => `
    SELECT NULL::date AS day, ${KEY} AS key, ${value} AS value
    FROM (SELECT fleet_id, driver_id, min(position) AS first_position FROM stored_event
          WHERE ${NAMES_A_DRIVER} AND effective AND position <= $1 GROUP BY fleet_id, driver_id) driver
    LEFT JOIN (SELECT DISTINCT ON (fleet_id, driver_id) position, fleet_id, driver_id, ${NAMES.join(', ')} FROM stored_event
               WHERE kind = ${DRIVER_PROFILE} AND position <= $1 ORDER BY fleet_id, driver_id, revision DESC) profile
      ON profile.fleet_id = driver.fleet_id AND profile.driver_id = driver.driver_id AND ${isNotSetAside('profile')}
    LEFT JOIN (SELECT trip.fleet_id, trip.driver_id, min(${DATE_OF_TRIP}) AS first_date, max(${DATE_OF_TRIP}) AS last_date
               FROM ${TRIPS_THAT_EXIST} GROUP BY trip.fleet_id, trip.driver_id) travel
      ON travel.fleet_id = driver.fleet_id AND travel.driver_id = driver.driver_id`,
  actual: (table, value) => `
    SELECT NULL::date AS day, ${KEY} AS key, ${value} AS value
    FROM ${table} driver, json_to_record(${readableJson('driver.profile')}) AS profile (driver_id text,
      ${NAMES.map((name) => `${name} text`).join(', ')}, first_travel_date date, last_travel_date date)`,
  causes: `
    WITH event AS (
      SELECT position, kind, trip_start_time FROM stored_event
      WHERE ${NAMES_A_DRIVER} AND effective AND fleet_id = split_part(wanted.key, '/', 1)
        AND driver_id = substr(wanted.key, strpos(wanted.key, '/') + 1))
    SELECT position FROM event WHERE kind = ${DRIVER_PROFILE}
    UNION SELECT min(position) FROM event HAVING count(*) > 0
    UNION (SELECT position FROM event WHERE kind = ${TRIP_PROCESSED} ORDER BY trip_start_time LIMIT 1)
    UNION (SELECT position FROM event WHERE kind = ${TRIP_PROCESSED} ORDER BY trip_start_time DESC LIMIT 1)`,
};
