import { SCORE_VERSION, tripFocusArea } from '@milepost/domain/score';
import type { Statement, Transaction } from '@milepost/postgres';
import type { PositionRange, Projection } from '@milepost/projection-engine';
import fastJson from 'fast-json-stringify';
import { packTexts, unpackedText } from '../log/packed-texts.ts';
import { NEW_TRIPS, SUPERSEDED_TRIPS } from '../log/range.ts';
import { TripListEntry } from '../resources/index.ts';
import { packFocusArea } from './focus-area.ts';
import { createTripsTable } from './table.ts';

const READ_NEW_TRIPS: Statement = {
  name: 'trips:read-new',
  text: `SELECT fleet_id, driver_id, replace(trip_id::text, '-', '') AS trip_id, tracking_id, insurance_period,
           trip_start_time, trip_end_time, duration_seconds, distance_miles, night_driving_seconds, highway_miles,
           night_driving_miles, start_latitude, start_longitude, end_latitude, end_longitude, phone_use_count,
           rapid_acceleration_count, hard_brake_count, overspeeding_count, phone_use_time_seconds,
           overspeeding_time_seconds
         FROM ${NEW_TRIPS}`,
};

type TripRow = Omit<TripListEntry, 'event_summary'> &
  TripListEntry['event_summary'] & { fleet_id: string; tracking_id: string | null };

const renderListEntry = fastJson(TripListEntry);

function toListEntry(row: TripRow): string {
  return renderListEntry({ ...row, event_summary: row });
}

function deleteSuperseded(table: string): Statement {
  return {
    name: `trips:delete-superseded:${table}`,
    text: `DELETE FROM ${table} trip USING (SELECT old.* FROM ${SUPERSEDED_TRIPS}) old
           WHERE trip.fleet_id = old.fleet_id AND trip.driver_id = old.driver_id
             AND trip.trip_start_time = old.trip_start_time AND trip.trip_id = old.trip_id`,
  };
}

function insertTrips(table: string): Statement {
  return {
    name: `trips:insert:${table}`,
    text: `INSERT INTO ${table} (fleet_id, driver_id, trip_id, tracking_id, trip_start_time, trip_end_time, focus_area, list_entry)
           SELECT fleet_id, driver_id, trip_id, tracking_id, trip_start_time, trip_end_time, focus_area, ${unpackedText('$1')}
           FROM unnest($2::integer[], $3::integer[], $4::text[], $5::text[], $6::uuid[], $7::text[], $8::bigint[], $9::bigint[], $10::smallint[])
             AS trip (start, length, fleet_id, driver_id, trip_id, tracking_id, trip_start_time, trip_end_time, focus_area)
           ON CONFLICT DO NOTHING`,
  };
}

/** Trips as the trip list and the head of the trip detail serve them. */
export const trips: Projection = {
  name: 'trips',
  // A new score leads to other rows.
  version: SCORE_VERSION,
  createTable: createTripsTable,
  async apply(transaction: Transaction, { after, through }: PositionRange, table: string): Promise<void> {
    await transaction.execute(deleteSuperseded(table), [after, through]);
    const rows = await transaction.rows<TripRow>(READ_NEW_TRIPS, [after, through]);
    if (rows.length === 0) return;
    const { bytes, starts, lengths } = packTexts(rows.map(toListEntry));
    await transaction.execute(insertTrips(table), [
      bytes,
      starts,
      lengths,
      rows.map((row) => row.fleet_id),
      rows.map((row) => row.driver_id),
      rows.map((row) => row.trip_id),
      rows.map((row) => row.tracking_id),
      rows.map((row) => row.trip_start_time),
      rows.map((row) => row.trip_end_time),
      rows.map((row) => packFocusArea(tripFocusArea(row))),
    ]);
  },
};
