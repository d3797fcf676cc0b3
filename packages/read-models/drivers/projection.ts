import type { Statement } from '@milepost/postgres';
import type { Projection } from '@milepost/projection-engine';
import fastJson from 'fast-json-stringify';
import { packTexts, unpackedText } from '../log/packed-texts.ts';
import { currentTrip, SUPERSEDED_TRIPS } from '../log/range.ts';
import { Driver } from '../resources/index.ts';
import { dateOfDay } from '../rollups/calendar-date.ts';

const renderDriver = fastJson(Driver);

/** The first or last day, as a number since 1970-01-01, on which a touched driver drove: one step along an index. */
function travelDay(direction: 'ASC' | 'DESC'): string {
  return `(SELECT event.trip_start_time / 86400000 FROM log.stored_event event
    WHERE event.fleet_id = touched.fleet_id AND event.driver_id = touched.driver_id AND ${currentTrip('event')}
    ORDER BY event.trip_start_time ${direction} LIMIT 1)`;
}

/**
 * The drivers that the range names or takes a trip from, as they are at its end. New ones get the next ordinals of their
 * fleet in the order in which the log first names them. Stored events without effect name nobody.
 */
function readTouched(table: string): Statement {
  return {
    name: `drivers:read-touched:${table}`,
    text: `
      WITH touched AS (
        SELECT fleet_id, driver_id, min(position) AS first_position FROM (
          SELECT fleet_id, driver_id, position FROM log.stored_event
          WHERE position > $1 AND position <= $2 AND effective AND kind IN (1, 3)
          UNION ALL
          SELECT old.fleet_id, old.driver_id, old.position FROM ${SUPERSEDED_TRIPS}) named
        GROUP BY fleet_id, driver_id)
      SELECT touched.fleet_id, touched.driver_id, profile.first_name, profile.last_name, profile.email, profile.alias,
        ${travelDay('ASC')} AS first_travel_day, ${travelDay('DESC')} AS last_travel_day,
        coalesce(driver.ordinal,
          coalesce((SELECT max(other.ordinal) FROM ${table} other WHERE other.fleet_id = touched.fleet_id), 0)
          + row_number() OVER (PARTITION BY touched.fleet_id, driver.ordinal IS NULL ORDER BY touched.first_position)) AS ordinal
      FROM touched LEFT JOIN ${table} driver USING (fleet_id, driver_id)
      LEFT JOIN LATERAL (
        SELECT * FROM log.stored_event event
        WHERE event.kind = 3 AND event.fleet_id = touched.fleet_id AND event.driver_id = touched.driver_id AND event.position <= $2
        ORDER BY event.revision DESC LIMIT 1) profile ON true`,
  };
}

interface Row extends Omit<Driver, 'first_travel_date' | 'last_travel_date'> {
  fleet_id: string;
  ordinal: number;
  first_travel_day: number | null;
  last_travel_day: number | null;
}

function toDriver(row: Row): string {
  const { first_travel_day, last_travel_day } = row;
  return renderDriver({
    ...row,
    first_travel_date: first_travel_day === null ? null : dateOfDay(first_travel_day),
    last_travel_date: last_travel_day === null ? null : dateOfDay(last_travel_day),
  });
}

/** Most trips change nothing about their driver, whose row is then left alone. */
function upsertDrivers(table: string): Statement {
  return {
    name: `drivers:upsert:${table}`,
    text: `INSERT INTO ${table} AS driver (fleet_id, driver_id, ordinal, profile)
           SELECT fleet_id, driver_id, ordinal, ${unpackedText('$1')}
           FROM unnest($2::integer[], $3::integer[], $4::text[], $5::text[], $6::bigint[]) AS touched (start, length, fleet_id, driver_id, ordinal)
           ON CONFLICT (fleet_id, driver_id) DO UPDATE SET profile = excluded.profile
           WHERE driver.profile <> excluded.profile`,
  };
}

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
      profile text NOT NULL,
      PRIMARY KEY (fleet_id, driver_id),
      UNIQUE (fleet_id, ordinal)
    );`,
  async apply(transaction, { after, through }, table) {
    const rows = await transaction.rows<Row>(readTouched(table), [after, through]);
    if (rows.length === 0) return;
    const { bytes, starts, lengths } = packTexts(rows.map(toDriver));
    await transaction.execute(upsertDrivers(table), [
      bytes,
      starts,
      lengths,
      rows.map((row) => row.fleet_id),
      rows.map((row) => row.driver_id),
      rows.map((row) => row.ordinal),
    ]);
  },
};
