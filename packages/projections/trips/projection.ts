import { SCORE_VERSION, tripFocusArea } from '@milepost/domain/score';
import { type CopyValue, copyText, type Statement, type Transaction } from '@milepost/postgres';
import fastJson from 'fast-json-stringify';
import { byPosition, type Projection } from '../engine/index.ts';
import { deleteDriver } from '../log/erase-rows.ts';
import { NEW_TRIPS, SUPERSEDED_TRIPS, TRIPS_OF_PART } from '../log/range.ts';
import { supersedesTrips } from '../log/superseded.ts';
import { TripListEntry } from '../resources/index.ts';
import { DAY_OF_START } from '../rollups/calendar-date.ts';
import { packFocusArea } from './focus-area.ts';
import { describeFocusChanges } from './focus-changes.ts';
import { createTripsIndexes, createTripsTable } from './table.ts';

/** Rows of a part of a replay's work: enough to spread the cost of a transaction, few enough to be slowed down finely. */
const PART_POSITIONS = 2_000;

const COLUMNS = `fleet_id, driver_id, tracking_id, replace(trip_id::text, '-', '') AS trip_id, insurance_period,
           trip_start_time, trip_end_time, duration_seconds, distance_miles, night_driving_seconds, highway_miles,
           night_driving_miles, start_latitude, start_longitude, end_latitude, end_longitude, phone_use_count,
           rapid_acceleration_count, hard_brake_count, overspeeding_count, phone_use_time_seconds,
           overspeeding_time_seconds`;

const READ_NEW_TRIPS: Statement = { name: 'trips:read-new', text: `SELECT ${COLUMNS} FROM ${NEW_TRIPS}` };
const READ_PART: Statement = { name: 'trips:read-part', text: `SELECT ${COLUMNS} FROM ${TRIPS_OF_PART}` };

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

const WRITTEN: Record<string, (row: TripRow) => CopyValue> = {
  fleet_id: (row) => row.fleet_id,
  driver_id: (row) => row.driver_id,
  trip_id: (row) => row.trip_id,
  tracking_id: (row) => row.tracking_id,
  trip_start_time: (row) => row.trip_start_time,
  trip_end_time: (row) => row.trip_end_time,
  focus_area: (row) => packFocusArea(tripFocusArea(row)),
  list_entry: toListEntry,
};

/** By COPY: less work for the server than a join that would take half of the columns from the log. */
async function insert(transaction: Transaction, rows: readonly TripRow[], table: string): Promise<void> {
  if (rows.length === 0) return;
  await transaction.copy(`${table} (${Object.keys(WRITTEN).join(', ')})`, copyText(rows, Object.values(WRITTEN)));
}

/** Trips as the trip list and the head of the trip detail serve them. */
export const trips: Projection = {
  name: 'trips',
  // A new score leads to other rows.
  version: SCORE_VERSION,
  createTable: createTripsTable,
  createIndexes: createTripsIndexes,
  async apply(transaction, range, table) {
    const { after, through } = range;
    if (await supersedesTrips(transaction, range)) await transaction.execute(deleteSuperseded(table), [after, through]);
    await insert(transaction, await transaction.rows<TripRow>(READ_NEW_TRIPS, [after, through]), table);
  },
  fill: {
    scratch: () => [],
    stages: [
      byPosition(PART_POSITIONS, async (transaction, range, { table, asOf, horizon }) => {
        const rows = await transaction.rows<TripRow>(READ_PART, [range.after, range.through, asOf, horizon]);
        await insert(transaction, rows, table);
      }),
    ],
  },
  erase: deleteDriver,
  rows: (table) => `
    SELECT ${DAY_OF_START} AS day, concat_ws('/', fleet_id, replace(trip_id::text, '-', '')) AS key,
      concat_ws('|', driver_id, trip_start_time, trip_end_time, focus_area, coalesce('t' || tracking_id, ''), list_entry) AS value
    FROM ${table}`,
  describeChanges: describeFocusChanges,
};
