-- The event log: the only source of truth. Append-only by grant (0002_roles.sql).
CREATE SCHEMA log;

-- Where the log ends. Whoever appends locks this row until the commit, so that positions are dense and become visible in
-- order; a sequence would hand out numbers that commit out of order, and readers would skip some for ever.
CREATE TABLE log.head (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  position bigint NOT NULL
);
INSERT INTO log.head (position) VALUES (0);

-- One row per (topic, partition), or file. next_offset moves by compare-and-set in the transaction that stores the
-- records below it; a process that claims the source raises the epoch, which shuts every earlier one out.
CREATE TABLE log.source (
  source_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  topic text COLLATE "C" NOT NULL,
  partition integer NOT NULL,
  next_offset bigint NOT NULL DEFAULT 0,
  epoch bigint NOT NULL DEFAULT 0,
  records_read bigint NOT NULL DEFAULT 0,
  records_stored bigint NOT NULL DEFAULT 0,
  records_duplicate bigint NOT NULL DEFAULT 0,
  records_dead_letter bigint NOT NULL DEFAULT 0,
  UNIQUE (topic, partition),
  CHECK (records_read = records_stored + records_duplicate + records_dead_letter)
);

-- Column order packs fixed widths first. Figures are numeric so that sums are exact whatever their order.
CREATE TABLE log.stored_event (
  position bigint PRIMARY KEY,
  stored_at timestamptz NOT NULL,
  source_offset bigint NOT NULL,
  revision bigint NOT NULL,
  -- Position of the stored event of the same trip (or driver profile) that this one took the place of.
  supersedes bigint,
  trip_start_time bigint,
  trip_end_time bigint,
  start_latitude float8,
  start_longitude float8,
  end_latitude float8,
  end_longitude float8,
  trip_id uuid,
  source_id integer NOT NULL,
  -- 1 trip.processed, 2 trip.deleted, 3 driver.profile
  kind smallint NOT NULL CHECK (kind IN (1, 2, 3)),
  insurance_period smallint,
  -- False: an older revision that arrived after a newer one, which changes no read table.
  effective boolean NOT NULL,
  content_hash bytea NOT NULL,
  fleet_id text COLLATE "C" NOT NULL,
  driver_id text COLLATE "C",
  source_trip_id text COLLATE "C",
  tracking_id text COLLATE "C",
  duration_seconds numeric,
  distance_miles numeric,
  night_driving_seconds numeric,
  highway_miles numeric,
  night_driving_miles numeric,
  phone_use_count bigint,
  rapid_acceleration_count bigint,
  hard_brake_count bigint,
  overspeeding_count bigint,
  phone_use_time_seconds numeric,
  overspeeding_time_seconds numeric,
  first_name text COLLATE "C",
  last_name text COLLATE "C",
  email text COLLATE "C",
  alias text COLLATE "C",
  CHECK ((kind = 3) = (trip_id IS NULL)),
  CHECK ((kind = 2) = (driver_id IS NULL)),
  CHECK (supersedes < position),
  CHECK (effective OR supersedes IS NULL)
);

-- A revision of a trip, or of a driver profile, is stored once.
CREATE UNIQUE INDEX stored_event_trip_revision ON log.stored_event (trip_id, revision) WHERE trip_id IS NOT NULL;
CREATE UNIQUE INDEX stored_event_profile_revision ON log.stored_event (fleet_id, driver_id, revision) WHERE kind = 3;
-- What took a stored event's place, if anything did. Unique: the revisions of a trip form one chain, never a fork.
CREATE UNIQUE INDEX stored_event_supersedes ON log.stored_event (supersedes) WHERE supersedes IS NOT NULL;
-- The trips of a driver by day: rollups and travel dates are computed from it.
CREATE INDEX stored_event_driver_trips ON log.stored_event (fleet_id, driver_id, trip_start_time)
  WHERE kind = 1 AND effective;

-- The bulk of a trip, apart from the header so that folds over headers scan 300 bytes a trip instead of 2,000.
CREATE TABLE log.trip_body (
  position bigint PRIMARY KEY,
  -- compact form of packages/trail-codec; incompressible, so no attempt is made
  trail_path bytea STORAGE EXTERNAL NOT NULL,
  -- compact form of packages/trip-event-codec; null for none
  trip_events bytea STORAGE EXTERNAL
);

-- Records that can never be stored as they are, byte for byte.
CREATE TABLE log.dead_letter (
  dead_letter_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  received_at timestamptz NOT NULL,
  source_id integer NOT NULL REFERENCES log.source,
  source_offset bigint NOT NULL,
  reason text COLLATE "C" NOT NULL,
  field text,
  message text NOT NULL,
  -- null: the record had no value at all
  raw bytea,
  -- retried: stored after all; duplicate: its content was stored already; discarded: given up by an operator, with a note
  resolution text CHECK (resolution IN ('retried', 'duplicate', 'discarded')),
  resolved_at timestamptz,
  note text,
  CHECK ((resolution IS NULL) = (resolved_at IS NULL))
);
CREATE INDEX dead_letter_open ON log.dead_letter (dead_letter_id) WHERE resolution IS NULL;
CREATE INDEX dead_letter_source ON log.dead_letter (source_id, source_offset);
