import { statement, type Transaction } from '@milepost/postgres';
import { table, tableStatement } from '@milepost/postgres/table-statement';
import { byPosition, type PositionRange, type Projection } from '../engine/index.ts';
import { deleteDriver } from '../log/erase-rows.ts';
import { DATE_OF_START, NEW_TRIPS, SUPERSEDED_TRIPS, TRIPS_OF_CHUNK } from '../log/range.ts';
import { keepTrips } from '../retention.ts';
import { audit } from './audit.ts';
import { LIST_ENTRY } from './list-entry.ts';

/**
 * The number of positions in a replay chunk. Larger chunks need fewer transactions, while smaller ones are easier to
 * throttle.
 */
const CHUNK_POSITIONS = 2_000;

const COLUMNS = 'fleet_id, driver_id, trip_id, tracking_id, trip_start_time, trip_end_time, position, list_entry';

/** The server renders the entries, because sending the figures to this process would take the server more time. */
const insertTrips = (name: string, trips: string) => tableStatement(`trips:${name}`)`
  WITH rendered AS (SELECT *, ${LIST_ENTRY} AS list_entry FROM ${trips})
  INSERT INTO ${table} (${COLUMNS}) SELECT ${COLUMNS} FROM rendered`;
const insertNew = insertTrips('insert-new', NEW_TRIPS);
const insertChunk = insertTrips('insert-chunk', TRIPS_OF_CHUNK);

const SUPERSEDES_TRIPS = statement('trips:supersedes-trips', { found: 'boolean' })`
  SELECT EXISTS (SELECT FROM ${SUPERSEDED_TRIPS}) AS found`;
const deleteOld = tableStatement('trips:delete-superseded')`
  DELETE FROM ${table} row USING (SELECT old.* FROM ${SUPERSEDED_TRIPS}) old
  WHERE row.fleet_id = old.fleet_id AND row.driver_id = old.driver_id
    AND row.trip_start_time = old.trip_start_time AND row.trip_id = old.trip_id`;

/** Deletes the rows of the trips superseded by a range. Most ranges do not supersede any trips. */
async function deleteSuperseded(transaction: Transaction, { after, through }: PositionRange, table: string) {
  const { found } = await transaction.row(SUPERSEDES_TRIPS, [after, through]);
  if (found) await transaction.execute(deleteOld(table), [after, through]);
}

/**
 * Returns an SQL expression that reads a column of the trip's body from the log. The expression is a subquery on the
 * trip's position, not a join. A query therefore reads only the bodies of the trips in its result, and no body if it
 * does not select the column.
 */
const ofBody = (column: string, table: string) =>
  `(SELECT body.${column} FROM trip_body body WHERE body.position = ${table}.position) AS ${column}`;

/**
 * One row per existing trip. `list_entry` is the trip's JSON for the trip list, without the text that all of a driver's
 * trips share (see list-entry.ts). The entry is rendered during projection. `position` refers to the trip's stored
 * event. The view reads the trail path and the trip events from the log at this position, because only the log stores
 * them.
 */
export const trips: Projection = {
  name: 'trips',
  version: 3,
  createTable: (table) => `
    CREATE TABLE ${table} (
      trip_start_time bigint NOT NULL,
      trip_end_time bigint NOT NULL,
      position bigint NOT NULL,
      trip_id uuid NOT NULL,
      fleet_id text COLLATE "C" NOT NULL,
      driver_id text COLLATE "C" NOT NULL,
      tracking_id text COLLATE "C",
      list_entry text NOT NULL
    );`,
  // The primary key is the order of the trip list. CLUSTER puts a replay's trips in this order, so that a page of a
  // driver's trips takes ten disk pages instead of a hundred. Index scans are off so that CLUSTER sorts the table,
  // because an index scan would read scattered rows. The index on the id is unique, so the planner uses it to look up a
  // trip even before the table has statistics. If it were not unique, a lookup would read all the fleet's trips.
  createIndexes: (table) => `
    ALTER TABLE ${table} ADD PRIMARY KEY (fleet_id, driver_id, trip_start_time, trip_id) INCLUDE (trip_end_time);
    SET LOCAL enable_indexscan = off;
    CLUSTER ${table} USING ${table}_pkey;
    SET LOCAL enable_indexscan TO DEFAULT;
    CREATE UNIQUE INDEX ON ${table} (trip_id);
    CREATE INDEX ON ${table} (fleet_id, tracking_id, trip_start_time, trip_id) WHERE tracking_id IS NOT NULL;`,
  view: (table) => `SELECT *, ${ofBody('trail_path', table)}, ${ofBody('trip_events', table)} FROM ${table}`,
  async apply(transaction, range, table) {
    await deleteSuperseded(transaction, range, table);
    await transaction.execute(insertNew(table), [range.after, range.through]);
  },
  fill: {
    stages: [
      byPosition(CHUNK_POSITIONS, async (transaction, range, { table, asOf, cutoff }) => {
        await transaction.execute(insertChunk(table), [range.after, range.through, asOf, cutoff]);
      }),
    ],
  },
  audit,
  erase: deleteDriver,
  rows: (table) => `
    SELECT ${DATE_OF_START} AS day, concat_ws('/', fleet_id, replace(trip_id::text, '-', '')) AS key,
      concat_ws('|', driver_id, trip_start_time, trip_end_time, position, coalesce('t' || tracking_id, ''), list_entry) AS value
    FROM ${table}`,
  keepsFrom: keepTrips,
};
