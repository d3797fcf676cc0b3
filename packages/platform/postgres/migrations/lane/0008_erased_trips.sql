-- The trips of erased drivers, also of those whose trips another lane has. Records about them are refused.

CREATE TABLE erased_trip (
  trip_id uuid NOT NULL,
  -- The hash that finds the dead letters that name the trip. Null: an earlier release erased the driver.
  name bigint,
  CONSTRAINT erased_trip_pkey PRIMARY KEY (trip_id)
);

GRANT SELECT ON erased_trip TO milepost_ingest;
GRANT SELECT, INSERT ON erased_trip TO milepost_eraser;
