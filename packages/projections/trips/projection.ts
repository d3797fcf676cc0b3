import { SCORE_VERSION, tripFocusArea } from '@milepost/domain/score';
import { SUMMED_FIELDS } from '@milepost/domain/vocabulary';
import {
  type CopyValue,
  columns,
  copyText,
  nullable,
  number,
  present,
  type RowOf,
  statement,
  type Transaction,
  text,
} from '@milepost/postgres';
import { byPosition, type Projection, primaryKeyOf } from '../engine/index.ts';
import { deleteDriver } from '../log/erase-rows.ts';
import { supersededTrips } from '../log/once-per-range.ts';
import { DATE_OF_START, NEW_TRIPS, TRIPS_OF_CHUNK } from '../log/range.ts';
import { keepTrips } from '../retention.ts';
import { audit } from './audit.ts';
import { packFocusArea } from './focus-area.ts';
import { describeFocusChanges } from './focus-changes.ts';
import { packListEntry } from './list-entry.ts';

/** Rows of a chunk of a replay's work: enough to spread the cost of a transaction, few enough to be slowed down finely. */
const CHUNK_POSITIONS = 2_000;

/** A trip as the log tells it. What other kinds of stored events lack, it has. */
const TRIP = {
  trip_id: text,
  position: number,
  fleet_id: text,
  driver_id: present(text),
  tracking_id: nullable(text),
  insurance_period: nullable(number),
  ...columns(present(number), 'trip_start_time', 'trip_end_time', 'night_driving_miles', ...SUMMED_FIELDS),
  ...columns(present(number), 'start_latitude', 'start_longitude', 'end_latitude', 'end_longitude'),
};
type TripRow = RowOf<typeof TRIP>;

const [TRIP_ID, ...OTHERS] = Object.keys(TRIP);
const COLUMNS = `replace(${TRIP_ID}::text, '-', '') AS ${TRIP_ID}, ${OTHERS.join(', ')}`;
const READ_NEW_TRIPS = statement('trips:read-new', TRIP)`SELECT ${COLUMNS} FROM ${NEW_TRIPS}`;
const READ_CHUNK = statement('trips:read-chunk', TRIP)`SELECT ${COLUMNS} FROM ${TRIPS_OF_CHUNK}`;

const deleteSuperseded = supersededTrips('trips', ['trip_start_time', 'trip_id']);

const WRITTEN: Record<string, (row: TripRow) => CopyValue> = {
  fleet_id: (row) => row.fleet_id,
  driver_id: (row) => row.driver_id,
  trip_id: (row) => row.trip_id,
  tracking_id: (row) => row.tracking_id,
  trip_start_time: (row) => row.trip_start_time,
  trip_end_time: (row) => row.trip_end_time,
  position: (row) => row.position,
  focus_area: (row) => packFocusArea(tripFocusArea(row)),
  list_entry: (row) => packListEntry({ ...row, event_summary: row }),
};

/** Rises with the columns of the table. */
const TABLE_VERSION = 1;

/** By COPY: less work for the server than a join that would take half of the columns from the log. */
async function insert(transaction: Transaction, rows: readonly TripRow[], table: string): Promise<void> {
  if (rows.length === 0) return;
  await transaction.copy(`${table} (${Object.keys(WRITTEN).join(', ')})`, copyText(rows, Object.values(WRITTEN)));
}

/**
 * A column of the trip's body in the log, by its position alone: whatever a reader asks, no body is looked at but those of
 * the trips shown, and none where the column is not asked for.
 */
const ofBody = (column: string, table: string) =>
  `(SELECT body.${column} FROM log.trip_body body WHERE body.position = ${table}.position) AS ${column}`;

/**
 * One row per trip that exists. `list_entry` is the trip's JSON as the trip list serves it, finished at projection time
 * but for what all trips of a driver share (see list-entry.ts); `focus_area` has one bit per flag (see focus-area.ts). `position` is that of the stored event whose trip it is: the view
 * takes trail path and trip events from the log, where they are stored once.
 */
export const trips: Projection = {
  name: 'trips',
  // A new score leads to other rows.
  version: SCORE_VERSION + TABLE_VERSION,
  createTable: (table) => `
    CREATE TABLE ${table} (
      trip_start_time bigint NOT NULL,
      trip_end_time bigint NOT NULL,
      position bigint NOT NULL,
      trip_id uuid NOT NULL,
      focus_area smallint NOT NULL,
      fleet_id text COLLATE "C" NOT NULL,
      driver_id text COLLATE "C" NOT NULL,
      tracking_id text COLLATE "C",
      list_entry text NOT NULL
    );`,
  // The primary key is the order of the trip list. The trips that a replay has filled are put in this order: a page of a driver's
  // trips then lies on ten pages of the disk instead of a hundred. By the index, rows would be read from all over the table: without
  // index scans CLUSTER sorts. That the trip alone is unique tells the planner to look for it
  // by its id: until the table has statistics it would else read all trips of the fleet.
  createIndexes: (table) => `
    ALTER TABLE ${table} ADD PRIMARY KEY (fleet_id, driver_id, trip_start_time, trip_id) INCLUDE (trip_end_time);
    SET LOCAL enable_indexscan = off;
    CLUSTER ${table} USING ${primaryKeyOf(table)};
    SET LOCAL enable_indexscan TO DEFAULT;
    CREATE UNIQUE INDEX ON ${table} (trip_id);
    CREATE INDEX ON ${table} (fleet_id, tracking_id, trip_start_time, trip_id) WHERE tracking_id IS NOT NULL;`,
  view: (table) => `SELECT *, ${ofBody('trail_path', table)}, ${ofBody('trip_events', table)} FROM ${table}`,
  async apply(transaction, range, table) {
    await deleteSuperseded(transaction, range, table);
    await insert(transaction, await transaction.rows(READ_NEW_TRIPS, [range.after, range.through]), table);
  },
  fill: {
    scratch: () => [],
    stages: [
      byPosition(CHUNK_POSITIONS, async (transaction, range, { table, asOf, cutoff }) => {
        const rows = await transaction.rows(READ_CHUNK, [range.after, range.through, asOf, cutoff]);
        await insert(transaction, rows, table);
      }),
    ],
  },
  audit,
  erase: deleteDriver,
  rows: (table) => `
    SELECT ${DATE_OF_START} AS day, concat_ws('/', fleet_id, replace(trip_id::text, '-', '')) AS key,
      concat_ws('|', driver_id, trip_start_time, trip_end_time, position, focus_area, coalesce('t' || tracking_id, ''), list_entry) AS value
    FROM ${table}`,
  keepsFrom: keepTrips,
  describeChanges: describeFocusChanges,
};
