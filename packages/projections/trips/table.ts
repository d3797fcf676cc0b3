/**
 * One row per trip that exists. `list_entry` is the trip's JSON as the trip list serves it, finished at projection time;
 * `focus_area` has one bit per flag (see focus-area.ts).
 */
export function createTripsTable(table: string): string {
  return `
    CREATE TABLE ${table} (
      trip_start_time bigint NOT NULL,
      trip_end_time bigint NOT NULL,
      trip_id uuid NOT NULL,
      focus_area smallint NOT NULL,
      fleet_id text COLLATE "C" NOT NULL,
      driver_id text COLLATE "C" NOT NULL,
      tracking_id text COLLATE "C",
      list_entry text NOT NULL
    );`;
}

/**
 * The primary key is the order of the trip list. That the trip alone is unique tells the planner to look for it by its id: until
 * the table has statistics it would else read all trips of the fleet.
 */
export function createTripsIndexes(table: string): string {
  return `
    ALTER TABLE ${table} ADD PRIMARY KEY (fleet_id, driver_id, trip_start_time, trip_id) INCLUDE (trip_end_time);
    CREATE UNIQUE INDEX ON ${table} (trip_id);
    CREATE INDEX ON ${table} (fleet_id, tracking_id, trip_start_time, trip_id) WHERE tracking_id IS NOT NULL;`;
}
