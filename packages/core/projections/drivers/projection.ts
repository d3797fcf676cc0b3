import { dayOfTime } from '@milepost/postgres/calendar';
import { table, tableStatement } from '@milepost/postgres/table-statement';
import type { Projection } from '../engine/index.ts';
import { currentTrip, isNotSetAside, NAMES_DRIVER, SUPERSEDED_TRIPS } from '../log/range.ts';
import { withFillFactor } from '../log/rendered-rows.ts';
import { audit } from './audit.ts';
import { DRIVER, dayInProfile, driverRows, profileAsOf, toDriver } from './driver-row.ts';
import { eraseDriver } from './erase.ts';
import { driversFill } from './fill.ts';

/**
 * Returns SQL that finds a touched driver's first or last day of travel. It covers all of the driver's trips with a
 * single lookup in an index.
 */
function selectTravelDay(direction: 'ASC' | 'DESC'): string {
  return `(SELECT ${dayOfTime('event.trip_start_time')} FROM stored_event event
    WHERE event.fleet_id = touched.fleet_id AND event.driver_id = touched.driver_id AND ${currentTrip('event')}
    ORDER BY event.trip_start_time ${direction} LIMIT 1)`;
}

/**
 * Returns an SQL expression for a touched driver's first or last day of travel. If the range supersedes no trip, the
 * stored span of days can only grow, so comparing the stored day with the new day is enough. Selecting the last day of
 * each driver would be slow during a backlog, because it would read every trip after the range, and there may be
 * hundreds of thousands.
 */
function travelDay(which: 'first' | 'last'): string {
  const [widest, direction] = which === 'first' ? (['least', 'ASC'] as const) : (['greatest', 'DESC'] as const);
  return `CASE WHEN touched.any_superseded THEN ${selectTravelDay(direction)}
    ELSE ${widest}(touched.${which}_day, ${dayInProfile(`${which}_travel_date`, 'driver.profile')}) END AS ${which}_travel_day`;
}

/**
 * Reads the state, at the end of the range, of every driver who is named by an effective stored event in the range or
 * who loses a trip. New drivers get the next ordinals in their fleet, in the order in which the log first names them.
 */
const readTouched = tableStatement('drivers:read-touched', {
  ...DRIVER,
  /** The stored profile; null for a new driver. */
  known_profile: 'text?',
})`
  WITH touched AS (
    SELECT fleet_id, driver_id, min(position) AS first_position, bool_or(superseded) AS any_superseded,
      min(day) AS first_day, max(day) AS last_day
    FROM (
      SELECT fleet_id, driver_id, position, false AS superseded,
        CASE WHEN ${currentTrip('event')} THEN ${dayOfTime('trip_start_time')} END AS day
      FROM stored_event event
      WHERE position > $1 AND position <= $2 AND effective AND ${NAMES_DRIVER}
      UNION ALL
      SELECT old.fleet_id, old.driver_id, old.position, true, NULL FROM ${SUPERSEDED_TRIPS}) named
    GROUP BY fleet_id, driver_id)
  SELECT touched.fleet_id, touched.driver_id, driver.profile AS known_profile, profile.first_name, profile.last_name, profile.email, profile.alias,
    ${travelDay('first')}, ${travelDay('last')},
    coalesce(driver.ordinal,
      coalesce((SELECT max(other.ordinal) FROM ${table} other WHERE other.fleet_id = touched.fleet_id), 0)
      + row_number() OVER (PARTITION BY touched.fleet_id, driver.ordinal IS NULL ORDER BY touched.first_position)) AS ordinal
  FROM touched LEFT JOIN ${table} driver USING (fleet_id, driver_id)
  LEFT JOIN LATERAL (${profileAsOf('touched', '$2')}) profile ON ${isNotSetAside('profile')}`;

/**
 * One row per driver named by at least one effective stored event. `ordinal` counts a fleet's drivers from 1 without
 * gaps, in the order in which they first appear. An ordinal never changes, so each page of the driver list is one range
 * in an index.
 */
export const drivers: Projection = {
  name: 'drivers',
  version: 1,
  createTable: (table) => `
    CREATE TABLE ${table} (
      ordinal bigint NOT NULL,
      fleet_id text COLLATE "C" NOT NULL,
      driver_id text COLLATE "C" NOT NULL,
      profile text NOT NULL
    );`,
  createIndexes: (table) =>
    `ALTER TABLE ${table} ADD PRIMARY KEY (fleet_id, driver_id); ALTER TABLE ${table} ADD UNIQUE (fleet_id, ordinal); ${withFillFactor(table)}`,
  async apply(transaction, { after, through }, table) {
    const touched = await transaction.rows(readTouched(table), [after, through]);
    // Unchanged rows are not sent. Most trips do not change their driver's row.
    const changed = touched.filter((row) => toDriver(row) !== row.known_profile);
    await driverRows.upsert(transaction, table, changed);
  },
  fill: driversFill,
  audit,
  erase: eraseDriver,
  rows: (table) => `
    SELECT NULL::date AS day, concat_ws('/', fleet_id, driver_id) AS key, concat_ws('|', ordinal, profile) AS value
    FROM ${table}`,
};
