/** The only table of peers that store trips unchanged: the keys and the record. */
export const NAIVE_TABLE =
  'CREATE TABLE trips (trip_id text PRIMARY KEY, driver_id text NOT NULL, start timestamptz NOT NULL, record jsonb NOT NULL)';
