/** The only table of the peers that store trips unchanged. It has the keys and the record. */
export const NAIVE_TABLE =
  'CREATE TABLE trips (trip_id text PRIMARY KEY, driver_id text NOT NULL, start timestamptz NOT NULL, record jsonb NOT NULL)';
