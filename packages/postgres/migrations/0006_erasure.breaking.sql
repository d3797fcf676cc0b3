-- Erasure of drivers: the person goes from the log in place, and what was erased is marked, so that no fold shows it again.
-- Breaking: an earlier release's ingest would store an erased driver's records anew, and its projector would count trips
-- whose figures are gone.

-- Null: as it came. 1: erased, and counted in the pseudonym's daily and weekly figures alone. 2: erased, figures too.
ALTER TABLE log.stored_event ADD COLUMN erased smallint CHECK (erased IN (1, 2));

-- Kind 4, driver.erased: says at a position of its own that the driver behind a pseudonym was erased.
ALTER TABLE log.stored_event
  DROP CONSTRAINT stored_event_kind_check,
  ADD CHECK (kind IN (1, 2, 3, 4)),
  DROP CONSTRAINT stored_event_check,
  ADD CONSTRAINT stored_event_check CHECK ((kind IN (3, 4)) = (trip_id IS NULL));

-- An erasure finds a driver's late revisions too, which no other index has; without it, it would scan the log while
-- nobody can append.
CREATE INDEX stored_event_driver_late ON log.stored_event (fleet_id, driver_id) WHERE kind = 1 AND NOT effective;

-- What was erased, without who: `position` is the stored event that says so. Kept for good, as it is what keeps the
-- driver's records out from now on.
CREATE TABLE log.erasure (
  position bigint PRIMARY KEY,
  erased_at timestamptz NOT NULL DEFAULT now(),
  keep_aggregates boolean NOT NULL,
  fleet_id text COLLATE "C" NOT NULL,
  driver_hash bytea NOT NULL,
  -- Stands in place of the driver's id.
  pseudonym text COLLATE "C" NOT NULL GENERATED ALWAYS AS ('erased-' || left(encode(driver_hash, 'hex'), 16)) STORED,
  reason text NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 1000)
);
CREATE INDEX erasure_driver ON log.erasure (driver_hash);
CREATE INDEX erasure_pseudonym ON log.erasure (fleet_id, pseudonym);

-- On the row that whoever appends locks: read from a table of its own in the statement that waits for the lock, it would be
-- as it was before the wait, and the records of the driver who was erased meanwhile would be stored.
ALTER TABLE log.head ADD COLUMN has_erasures boolean NOT NULL DEFAULT false;

-- Makes the hash of a driver this database's own: ids are short, and could be guessed from a plain hash. Nobody may read
-- it, nor is it needed by anybody but the function.
CREATE TABLE log.pepper (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  value bytea NOT NULL DEFAULT sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'))
);
INSERT INTO log.pepper DEFAULT VALUES;

-- Acts with its owner's rights, for the pepper. A fleet id holds no slash, so no two drivers hash the same bytes.
CREATE FUNCTION log.driver_hash(fleet_id text, driver_id text) RETURNS bytea LANGUAGE sql STABLE SECURITY DEFINER
  RETURN (SELECT sha256(pepper.value || convert_to(fleet_id || '/' || driver_id, 'UTF8')) FROM log.pepper);
REVOKE EXECUTE ON FUNCTION log.driver_hash FROM PUBLIC;

-- Roles belong to the whole server and may exist already, or be made at this moment beside us for another database.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'milepost_eraser') THEN
    BEGIN
      CREATE ROLE milepost_eraser NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END IF;
  IF NOT pg_has_role(current_user, 'milepost_eraser', 'SET') THEN
    GRANT milepost_eraser TO current_user;
  END IF;
END $$;

-- The eraser redacts, column by column, and says so at the end of the log. It can remove no row and change no identity,
-- order or place of one.
GRANT USAGE ON SCHEMA log TO milepost_eraser;
GRANT SELECT ON log.head, log.source, log.stored_event, log.dead_letter, log.erasure TO milepost_eraser;
GRANT SELECT (position), UPDATE (trail_path, trip_events) ON log.trip_body TO milepost_eraser;
GRANT UPDATE (driver_id, source_trip_id, tracking_id, insurance_period, trip_start_time, trip_end_time, start_latitude,
    start_longitude, end_latitude, end_longitude, content_hash, duration_seconds, distance_miles, night_driving_seconds,
    highway_miles, night_driving_miles, phone_use_count, rapid_acceleration_count, hard_brake_count, overspeeding_count,
    phone_use_time_seconds, overspeeding_time_seconds, first_name, last_name, email, alias, erased)
  ON log.stored_event TO milepost_eraser;
GRANT UPDATE (raw, message, resolution, resolved_at, note) ON log.dead_letter TO milepost_eraser;
GRANT UPDATE ON log.head TO milepost_eraser;
GRANT INSERT (topic, partition, next_offset, records_read, records_stored),
  UPDATE (next_offset, records_read, records_stored) ON log.source TO milepost_eraser;
GRANT INSERT (position, stored_at, source_offset, revision, source_id, kind, effective, content_hash, fleet_id, driver_id,
  erased) ON log.stored_event TO milepost_eraser;
GRANT INSERT (position, keep_aggregates, fleet_id, driver_hash, reason) ON log.erasure TO milepost_eraser;

GRANT SELECT ON log.erasure TO milepost_ingest, milepost_projector, milepost_operator;
GRANT EXECUTE ON FUNCTION log.driver_hash TO milepost_eraser, milepost_ingest;
