/** The one table of peers that store trips as they come: the record beside its keys. */
export const NAIVE_TABLE =
  'CREATE TABLE trips (trip_id text PRIMARY KEY, driver_id text NOT NULL, start timestamptz NOT NULL, record jsonb NOT NULL)';
