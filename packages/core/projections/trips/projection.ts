import { SCORE_VERSION, tripFocusArea } from '@milepost/domain/score';
import { SUMMED_FIELDS } from '@milepost/domain/vocabulary';
import {
  type CopyValue,
  columns,
  copyText,
  notNull,
  nullable,
  number,
  type RowOf,
  statement,
  type Transaction,
  text,
} from '@milepost/postgres';
import { byPosition, type Projection, primaryKeyOf } from '../engine/index.ts';
import { deleteDriver } from '../log/erase-rows.ts';
import { DATE_OF_START, NEW_TRIPS, TRIPS_OF_CHUNK } from '../log/range.ts';
import { supersededTrips } from '../log/superseded-trips.ts';
import { keepTrips } from '../retention.ts';
import { audit } from './audit.ts';
import { packFocusArea } from './focus-area.ts';
import { describeFocusChanges } from './focus-changes.ts';
import { packListEntry } from './list-entry.ts';

/**
 * Positions per chunk of a replay. A larger chunk spreads the cost of a transaction; a smaller one is easier to
 * throttle.
 */
const CHUNK_POSITIONS = 2_000;

/** The columns of a trip in the log. They are null only in other kinds of stored events. */
const TRIP = {
  trip_id: text,
  position: number,
  fleet_id: text,
  driver_id: notNull(text),
  tracking_id: nullable(text),
  insurance_period: nullable(number),
  ...columns(notNull(number), 'trip_start_time', 'trip_end_time', 'night_driving_miles', ...SUMMED_FIELDS),
  ...columns(notNull(number), 'start_latitude', 'start_longitude', 'end_latitude', 'end_longitude'),
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

/** Increase it when the columns of the table change. */
const TABLE_VERSION = 1;

/** Inserts rows by COPY, which is less work for the server than a join that reads half the columns from the log. */
async function insert(transaction: Transaction, rows: readonly TripRow[], table: string): Promise<void> {
  if (rows.length === 0) return;
  await transaction.copy(`${table} (${Object.keys(WRITTEN).join(', ')})`, copyText(rows, Object.values(WRITTEN)));
}

/**
 * An SQL expression that reads a column of the trip's body from the log. It is a subquery on the trip's position, and
 * not a join. So each query reads only the bodies of the trips in its result, and reads none when it does not select
 * the column.
 */
const ofBody = (column: string, table: string) =>
  `(SELECT body.${column} FROM trip_body body WHERE body.position = ${table}.position) AS ${column}`;

/**
 * One row per existing trip. `list_entry` is the trip's JSON for the trip list, rendered at projection time. It lacks
 * the text that all trips of a driver share (see list-entry.ts). `focus_area` has one bit per flag (see focus-area.ts).
 * `position` is that of the trip's stored event: the view reads the trail path and the trip events from the log, which
 * stores them once.
 */
export const trips: Projection = {
  name: 'trips',
  // The version includes that of the score, because a new score formula changes the rows.
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
  // The primary key is the order of the trip list. CLUSTER puts the trips of a replay in this order: a page of a
  // driver's trips then takes ten disk pages instead of a hundred. Without index scans CLUSTER sorts the table; an
  // index scan would read rows from all over it. The unique index makes the planner look up a trip by its id. Without
  // this index, the planner would read all trips of the fleet until the table has statistics.
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
