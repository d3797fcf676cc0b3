import { dayOfTime } from '@milepost/domain/calendar';
import { nullable, table, tableStatement, text } from '@milepost/postgres';
import type { Projection } from '../engine/index.ts';
import { leaveRoom } from '../log/leave-room.ts';
import { currentTrip, NAMES_DRIVER, SUPERSEDED_TRIPS } from '../log/range.ts';
import { renderedRows } from '../log/rendered-rows.ts';
import { audit } from './audit.ts';
import { DRIVER, type DriverRow, dayInProfile, profileAsOf, toDriver } from './driver-row.ts';
import { eraseDriver } from './erase.ts';
import { driversFill } from './fill.ts';

/** The first or last day on which a touched driver drove, looked for among all trips: one step along an index. */
function soughtTravelDay(direction: 'ASC' | 'DESC'): string {
  return `(SELECT ${dayOfTime('event.trip_start_time')} FROM log.stored_event event
    WHERE event.fleet_id = touched.fleet_id AND event.driver_id = touched.driver_id AND ${currentTrip('event')}
    ORDER BY event.trip_start_time ${direction} LIMIT 1)`;
}

/**
 * The first or last day on which a touched driver drove. Where the range only adds trips it can only widen the days known.
 * Sought for each driver, the last day would cost a step for every trip that the log holds past the range, of which a
 * backlog has hundreds of thousands.
 */
function travelDay(which: 'first' | 'last'): string {
  const [widest, direction] = which === 'first' ? (['least', 'ASC'] as const) : (['greatest', 'DESC'] as const);
  return `CASE WHEN touched.any_superseded THEN ${soughtTravelDay(direction)}
    ELSE ${widest}(touched.${which}_day, ${dayInProfile(`${which}_travel_date`, 'driver.profile')}) END AS ${which}_travel_day`;
}

/**
 * The drivers that the range names or takes a trip from, as they are at its end. New ones get the next ordinals of their
 * fleet in the order in which the log first names them. Stored events without effect name nobody.
 */
const readTouched = tableStatement('drivers:read-touched', {
  ...DRIVER,
  /** That the table has; null for a new driver. */
  known_profile: nullable(text),
})`
  WITH touched AS (
    SELECT fleet_id, driver_id, min(position) AS first_position, bool_or(superseded) AS any_superseded,
      min(day) AS first_day, max(day) AS last_day
    FROM (
      SELECT fleet_id, driver_id, position, false AS superseded,
        CASE WHEN ${currentTrip('event')} THEN ${dayOfTime('trip_start_time')} END AS day
      FROM log.stored_event event
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
  LEFT JOIN LATERAL (${profileAsOf('touched', '$2')}) profile ON true`;

const rows = renderedRows<DriverRow>({
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
 * One row per driver that the log has ever named with effect. `ordinal` counts the drivers of a fleet from 1 without gaps
 * in order of first appearance and never changes, so any page of the driver list is one index range.
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
    `ALTER TABLE ${table} ADD PRIMARY KEY (fleet_id, driver_id), ADD UNIQUE (fleet_id, ordinal); ${leaveRoom(table)}`,
  async apply(transaction, { after, through }, table) {
    const touched = await transaction.rows(readTouched(table), [after, through]);
    // Most trips change nothing about their driver, whose row is then not even sent.
    const changed = touched.filter((row) => toDriver(row) !== row.known_profile);
    await rows.upsert(transaction, table, changed);
  },
  fill: driversFill(rows.insert),
  audit,
  erase: eraseDriver,
  rows: (table) => `
    SELECT NULL::date AS day, concat_ws('/', fleet_id, driver_id) AS key, concat_ws('|', ordinal, profile) AS value
    FROM ${table}`,
};
