-- A lane: the event log of some fleets, its read tables, and the replays and audits of these tables.
--
-- The migrator sets search_path to the schema of the lane, so no name below has a schema. Every constraint has a name,
-- and every identity column is a bigint: Citus requires both of a distributed schema.

DO $$ BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %I
    TO milepost_api, milepost_ingest, milepost_projector, milepost_operator, milepost_eraser', current_schema());
  -- The projector creates the read tables and the views on them. It grants the API SELECT on each view.
  EXECUTE format('GRANT CREATE ON SCHEMA %I TO milepost_projector', current_schema());
END $$;

--------------------------------------------------------------------------------------------------------------------
-- The event log. It is append-only: no role may delete a row, and only the eraser may update one.
--------------------------------------------------------------------------------------------------------------------

-- The end of the log. An append locks this row until it commits. So positions have no gaps, and become visible in
-- order. A sequence assigns numbers that commit out of order, and a reader would miss some of them forever.
CREATE TABLE log_head (
  only_row boolean NOT NULL DEFAULT true,
  position bigint NOT NULL,
  -- Whether any driver was ever erased. The flag is on the row that an append locks: after a wait for the lock, a
  -- statement still sees other tables as they were before the wait, and would store records of a driver who was erased
  -- during the wait.
  has_erasures boolean NOT NULL DEFAULT false,
  CONSTRAINT log_head_pkey PRIMARY KEY (only_row),
  CONSTRAINT log_head_only_row CHECK (only_row)
);
INSERT INTO log_head (position) VALUES (0);

-- One row per partition of a topic, and one row for each time that a file is read. The transaction that stores records
-- also moves next_offset, by compare-and-set. A process that claims the source raises the epoch, which fences earlier
-- owners off.
CREATE TABLE log_source (
  -- The values fit an integer, which is the type of the columns that refer to this one.
  source_id bigint GENERATED ALWAYS AS IDENTITY,
  topic text COLLATE "C" NOT NULL,
  partition integer NOT NULL,
  next_offset bigint NOT NULL DEFAULT 0,
  epoch bigint NOT NULL DEFAULT 0,
  records_read bigint NOT NULL DEFAULT 0,
  records_stored bigint NOT NULL DEFAULT 0,
  records_duplicate bigint NOT NULL DEFAULT 0,
  records_dead_letter bigint NOT NULL DEFAULT 0,
  -- The last heartbeat of the process that holds the claim. It sends heartbeats only while the broker answers.
  held_at timestamptz,
  -- The last record read, by which ingest detects a topic that was deleted and created again. Null for files, and
  -- before the first append.
  last_offset bigint,
  -- Epoch milliseconds, from the broker.
  last_timestamp bigint,
  -- SHA-256 of the record's bytes. Null after an erasure, because the hash would confirm a guess at the content.
  last_hash bytea,
  -- Why ingest reads nothing from the source, and since when.
  fault text,
  fault_at timestamptz,
  -- True: only an operator can clear the fault. False: the next append clears it.
  stopped boolean NOT NULL DEFAULT false,
  -- When a file was read to its end. Null for topics, and for a file that ingest still reads or has abandoned.
  ended_at timestamptz,
  CONSTRAINT log_source_pkey PRIMARY KEY (source_id),
  CONSTRAINT log_source_topic_partition UNIQUE (topic, partition),
  CONSTRAINT log_source_counts CHECK (records_read = records_stored + records_duplicate + records_dead_letter),
  CONSTRAINT log_source_last_record CHECK ((last_offset IS NULL) = (last_timestamp IS NULL)),
  CONSTRAINT log_source_fault CHECK ((fault IS NULL) = (fault_at IS NULL)),
  CONSTRAINT log_source_stopped CHECK (fault IS NOT NULL OR NOT stopped)
);

-- Columns of a fixed width come first, which saves padding. Figures are numeric: their sums are exact in any order.
CREATE TABLE stored_event (
  position bigint NOT NULL,
  stored_at timestamptz NOT NULL,
  source_offset bigint NOT NULL,
  revision bigint NOT NULL,
  -- The position of the stored event of the same trip, or driver profile, that this one replaces.
  supersedes bigint,
  trip_start_time bigint,
  trip_end_time bigint,
  start_latitude float8,
  start_longitude float8,
  end_latitude float8,
  end_longitude float8,
  trip_id uuid,
  source_id integer NOT NULL,
  -- 1 trip.processed, 2 trip.deleted, 3 driver.profile, 4 driver.erased
  kind smallint NOT NULL,
  insurance_period smallint,
  -- False: an older revision that arrived after a newer one. It changes no read table.
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
  -- Null: not erased. 1: erased, except the figures, which count under the driver's pseudonym. 2: erased, including the
  -- figures.
  erased smallint,
  CONSTRAINT stored_event_pkey PRIMARY KEY (position),
  CONSTRAINT stored_event_kind CHECK (kind IN (1, 2, 3, 4)),
  CONSTRAINT stored_event_trip CHECK ((kind IN (3, 4)) = (trip_id IS NULL)),
  CONSTRAINT stored_event_driver CHECK ((kind = 2) = (driver_id IS NULL)),
  CONSTRAINT stored_event_order CHECK (supersedes < position),
  CONSTRAINT stored_event_effective CHECK (effective OR supersedes IS NULL),
  CONSTRAINT stored_event_erased CHECK (erased IN (1, 2))
);
-- A revision of a trip, or of a driver profile, is stored once.
CREATE UNIQUE INDEX stored_event_trip_revision ON stored_event (trip_id, revision) WHERE trip_id IS NOT NULL;
CREATE UNIQUE INDEX stored_event_profile_revision ON stored_event (fleet_id, driver_id, revision) WHERE kind = 3;
-- Finds the successor of a stored event. Unique: the revisions of a trip form one chain without forks.
CREATE UNIQUE INDEX stored_event_supersedes ON stored_event (supersedes) WHERE supersedes IS NOT NULL;
-- The trips of a driver by time. Rollups and travel dates are computed from it.
CREATE INDEX stored_event_driver_trips ON stored_event (fleet_id, driver_id, trip_start_time) WHERE kind = 1 AND effective;
-- The late revisions of a driver's trips. Without this index an erasure would scan the log while it blocks all appends.
CREATE INDEX stored_event_driver_late ON stored_event (fleet_id, driver_id) WHERE kind = 1 AND NOT effective;

-- The large part of a trip. It has a table of its own, so that a fold scans 300 bytes per trip instead of 2,000.
CREATE TABLE trip_body (
  position bigint NOT NULL,
  -- The compact form of packages/trail-codec. EXTERNAL: the bytes cannot be compressed further, so PostgreSQL should
  -- not try.
  trail_path bytea STORAGE EXTERNAL NOT NULL,
  -- The compact form of packages/trip-event-codec. Null: the trip has no trip events.
  trip_events bytea STORAGE EXTERNAL,
  CONSTRAINT trip_body_pkey PRIMARY KEY (position)
);

-- Records that break a rule, with their bytes.
CREATE TABLE dead_letter (
  dead_letter_id bigint GENERATED ALWAYS AS IDENTITY,
  received_at timestamptz NOT NULL,
  source_id integer NOT NULL,
  source_offset bigint NOT NULL,
  reason text COLLATE "C" NOT NULL,
  field text,
  message text NOT NULL,
  -- The first 256 KiB of the record. Null: the record had no value.
  raw bytea,
  -- retried: the record is stored now. duplicate: its content was stored already. discarded: an operator decided not to
  -- store it, with a note.
  resolution text,
  resolved_at timestamptz,
  note text,
  -- The size of the bytes that follow those in "raw"; dead_letter_chunk holds them.
  rest_bytes bigint NOT NULL DEFAULT 0,
  -- The fleets that the bytes name. Null: any.
  fleets text[] COLLATE "C",
  -- Hashes of the drivers and trips that the bytes name. Null: unknown, so the first erasure removes the bytes.
  names bigint[],
  CONSTRAINT dead_letter_pkey PRIMARY KEY (dead_letter_id),
  CONSTRAINT dead_letter_source_id FOREIGN KEY (source_id) REFERENCES log_source,
  CONSTRAINT dead_letter_resolution CHECK (resolution IN ('retried', 'duplicate', 'discarded')),
  CONSTRAINT dead_letter_resolved CHECK ((resolution IS NULL) = (resolved_at IS NULL))
);
CREATE INDEX dead_letter_open ON dead_letter (dead_letter_id) WHERE resolution IS NULL;
CREATE INDEX dead_letter_source ON dead_letter (source_id, source_offset);
-- An erasure finds the dead letters that name a driver, and those whose names are unknown.
CREATE INDEX dead_letter_names ON dead_letter USING gin (names);
CREATE INDEX dead_letter_unclear ON dead_letter (dead_letter_id) WHERE raw IS NOT NULL AND names IS NULL;

-- The bytes of a dead letter that follow those in "raw", in chunks of at most 256 KiB, numbered from 1. An erasure
-- empties the chunks.
CREATE TABLE dead_letter_chunk (
  dead_letter_id bigint NOT NULL,
  chunk integer NOT NULL,
  bytes bytea NOT NULL,
  CONSTRAINT dead_letter_chunk_pkey PRIMARY KEY (dead_letter_id, chunk),
  CONSTRAINT dead_letter_chunk_dead_letter_id FOREIGN KEY (dead_letter_id) REFERENCES dead_letter,
  CONSTRAINT dead_letter_chunk_number CHECK (chunk > 0),
  CONSTRAINT dead_letter_chunk_size CHECK (octet_length(bytes) <= 262144)
);

-- Records whose content was stored already, so that a trace shows each delivery. `position` is that of the stored event
-- with this content. The table has no key, because a topic that is read again adds another row for each record. The
-- append counts these rows while it holds the lock of the source.
CREATE TABLE duplicate_record (
  received_at timestamptz NOT NULL,
  source_id integer NOT NULL,
  source_offset bigint NOT NULL,
  position bigint NOT NULL
);
CREATE INDEX duplicate_record_position ON duplicate_record (position);

-- Counts of values that are valid but unusual. Reasons and fields come from closed lists, so the table holds no value
-- of a record.
CREATE TABLE source_warning (
  source_id integer NOT NULL,
  reason text COLLATE "C" NOT NULL,
  -- A path in the record, with * for any index. Empty: the whole record.
  field text COLLATE "C" NOT NULL,
  records bigint NOT NULL,
  CONSTRAINT source_warning_pkey PRIMARY KEY (source_id, reason, field),
  CONSTRAINT source_warning_source_id FOREIGN KEY (source_id) REFERENCES log_source
);

-- Erasures, without the names of drivers. `position` is that of the stored event driver.erased. The rows are kept
-- forever, because they identify later records of the driver, which are refused.
CREATE TABLE erasure (
  position bigint NOT NULL,
  erased_at timestamptz NOT NULL DEFAULT now(),
  keep_aggregates boolean NOT NULL,
  fleet_id text COLLATE "C" NOT NULL,
  driver_hash bytea NOT NULL,
  -- Replaces the driver's id.
  pseudonym text COLLATE "C" NOT NULL GENERATED ALWAYS AS ('erased-' || left(encode(driver_hash, 'hex'), 16)) STORED,
  reason text NOT NULL,
  CONSTRAINT erasure_pkey PRIMARY KEY (position),
  CONSTRAINT erasure_reason CHECK (char_length(reason) BETWEEN 1 AND 1000)
);
CREATE INDEX erasure_driver ON erasure (driver_hash);
CREATE INDEX erasure_pseudonym ON erasure (fleet_id, pseudonym);

-- The secret of the hash below: ids of drivers are short, and a plain hash would confirm a guess. No role may read it.
CREATE TABLE erasure_pepper (
  only_row boolean NOT NULL DEFAULT true,
  value bytea NOT NULL DEFAULT sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')),
  CONSTRAINT erasure_pepper_pkey PRIMARY KEY (only_row),
  CONSTRAINT erasure_pepper_only_row CHECK (only_row)
);
INSERT INTO erasure_pepper DEFAULT VALUES;

-- Runs with the privileges of its owner, who may read the pepper. A fleet id has no slash, so no two drivers hash the
-- same bytes.
CREATE FUNCTION driver_hash(fleet_id text, driver_id text) RETURNS bytea LANGUAGE sql STABLE SECURITY DEFINER
  RETURN (SELECT sha256(pepper.value || convert_to(fleet_id || '/' || driver_id, 'UTF8')) FROM erasure_pepper pepper);
REVOKE EXECUTE ON FUNCTION driver_hash FROM PUBLIC;

--------------------------------------------------------------------------------------------------------------------
-- Projections. The projector creates the read tables: no migration does.
--------------------------------------------------------------------------------------------------------------------

-- The generations of the read tables. The transaction that writes rows also moves the checkpoint, by compare-and-set.
CREATE TABLE generation (
  projection text COLLATE "C" NOT NULL,
  generation integer NOT NULL,
  version integer NOT NULL,
  live boolean NOT NULL DEFAULT false,
  checkpoint bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Set while the projection is stopped before a stored event that it cannot apply.
  failed_position bigint,
  failure text,
  -- Rows of earlier days are not kept. Null: all rows are kept.
  cutoff date,
  -- The generation was live, and is kept for a rollback.
  retired_at timestamptz,
  -- The table is dropped. The row stays, so that no number is used twice.
  dropped_at timestamptz,
  CONSTRAINT generation_pkey PRIMARY KEY (projection, generation),
  CONSTRAINT generation_live_is_kept CHECK (NOT (live AND (retired_at IS NOT NULL OR dropped_at IS NOT NULL)))
);
CREATE UNIQUE INDEX generation_live ON generation (projection) WHERE live;

-- A replay builds generations alongside the live ones, or makes earlier ones live again (a rollback). The database
-- holds its whole state: its worker may be killed at any time, and two workers may run it concurrently.
CREATE TABLE replay (
  replay_id bigint GENERATED ALWAYS AS IDENTITY,
  kind text COLLATE "C" NOT NULL,
  -- As requested: the name of a projection, or 'all'.
  projection text COLLATE "C" NOT NULL,
  phase text COLLATE "C" NOT NULL,
  -- The replay does nothing until an operator resumes it, because an operator paused it or a step failed.
  halted text COLLATE "C",
  error text,
  -- The highest target of its members.
  target bigint NOT NULL,
  -- Rows of earlier days are not kept. Null: all rows are kept.
  cutoff date,
  -- The operator's choices, which may change at any time.
  promote boolean NOT NULL,
  accept_differences boolean NOT NULL DEFAULT false,
  throttle text COLLATE "C" NOT NULL,
  verification jsonb,
  -- Each claim by a worker raises the epoch, which fences earlier workers off.
  epoch bigint NOT NULL DEFAULT 0,
  lease_expires_at timestamptz,
  -- The worker's recent rate, and its recent minimum and maximum.
  trips_per_second double precision,
  slowest_trips_per_second double precision,
  fastest_trips_per_second double precision,
  -- Why the automatic throttle slows the replay down. Null: it does not.
  throttled_by text,
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  CONSTRAINT replay_pkey PRIMARY KEY (replay_id),
  CONSTRAINT replay_kind CHECK (kind IN ('build', 'roll_back')),
  CONSTRAINT replay_phase CHECK (phase IN ('filling', 'indexing', 'catching_up', 'verifying', 'waiting', 'promoting',
    'promoted', 'cancelling', 'cancelled', 'dropping', 'dropped')),
  CONSTRAINT replay_halted CHECK (halted IN ('paused', 'failed')),
  CONSTRAINT replay_throttle CHECK (throttle IN ('off', 'auto') OR throttle ~ '^[1-9][0-9]{0,8}$')
);

-- The generation of each projection that the replay builds, or makes live again.
CREATE TABLE replay_member (
  replay_id bigint NOT NULL,
  projection text COLLATE "C" NOT NULL,
  generation integer NOT NULL,
  -- The filled generation shows the state at this position: the checkpoint of the live one at the time of the request.
  target bigint NOT NULL,
  -- The stage of the fill whose chunks have been planned. Null before the first stage.
  stage integer,
  filled boolean NOT NULL DEFAULT false,
  indexed boolean NOT NULL DEFAULT false,
  -- The generation that was live before the promotion.
  replaced_generation integer,
  -- True until the replay ends. A projection has at most one active replay.
  active boolean NOT NULL DEFAULT true,
  -- The projection of this replay whose chunks also fill this table. Null: the table has its own chunks.
  filled_with text COLLATE "C",
  CONSTRAINT replay_member_pkey PRIMARY KEY (replay_id, projection),
  CONSTRAINT replay_member_replay FOREIGN KEY (replay_id) REFERENCES replay,
  CONSTRAINT replay_member_generation FOREIGN KEY (projection, generation) REFERENCES generation
);
CREATE UNIQUE INDEX replay_member_active ON replay_member (projection) WHERE active;

-- The chunks of the planned stage. The transaction that writes the rows of a chunk also marks it as done.
CREATE TABLE replay_chunk (
  replay_id bigint NOT NULL,
  projection text COLLATE "C" NOT NULL,
  stage integer NOT NULL,
  chunk integer NOT NULL,
  after_key text[] COLLATE "C" NOT NULL,
  through_key text[] COLLATE "C" NOT NULL,
  events bigint NOT NULL,
  done boolean NOT NULL DEFAULT false,
  CONSTRAINT replay_chunk_pkey PRIMARY KEY (replay_id, projection, stage, chunk),
  CONSTRAINT replay_chunk_member FOREIGN KEY (replay_id, projection) REFERENCES replay_member
);
CREATE INDEX replay_chunk_open ON replay_chunk (replay_id, projection, stage, chunk) WHERE NOT done;

-- Reports of audits.
CREATE TABLE audit (
  audit_id bigint GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL DEFAULT now(),
  -- The end of the log.
  position bigint NOT NULL,
  -- The audit found no fault.
  equal boolean NOT NULL,
  seconds double precision NOT NULL,
  report jsonb NOT NULL,
  CONSTRAINT audit_pkey PRIMARY KEY (audit_id)
);

-- The age of a response in seconds: the age of the oldest stored event that some live generation does not show yet. No
-- row: the live generations show the whole log.
CREATE VIEW applied_lag AS
  SELECT greatest(date_part('epoch', now() - stored_at), 0) AS lag_seconds FROM stored_event
  WHERE position = (SELECT coalesce(min(checkpoint), 0) + 1 FROM generation WHERE live);

--------------------------------------------------------------------------------------------------------------------
-- Grants. They are explicit: on Citus, default privileges do not reach the views on workers.
--------------------------------------------------------------------------------------------------------------------

-- The API selects from this view, and from the views of the live read tables. A view reads its tables with the
-- privileges of its owner.
GRANT SELECT ON applied_lag TO milepost_api;

-- Ingest adds to the log, and changes or removes nothing in it. The health check of its container reads checkpoints.
GRANT SELECT, INSERT ON stored_event, trip_body, dead_letter, dead_letter_chunk, duplicate_record TO milepost_ingest;
GRANT SELECT, INSERT, UPDATE ON log_source, source_warning TO milepost_ingest;
GRANT SELECT, UPDATE ON log_head TO milepost_ingest;
GRANT UPDATE (resolution, resolved_at, note) ON dead_letter TO milepost_ingest;
GRANT SELECT ON erasure, generation TO milepost_ingest;
GRANT EXECUTE ON FUNCTION driver_hash TO milepost_ingest;

-- The projector reads the log. The worker of replays and audits acts in its role.
GRANT SELECT ON log_head, log_source, stored_event, trip_body, dead_letter, dead_letter_chunk, duplicate_record, erasure
  TO milepost_projector;
GRANT SELECT, INSERT, UPDATE, DELETE ON generation, replay_chunk TO milepost_projector;
GRANT SELECT, INSERT, UPDATE ON replay, replay_member TO milepost_projector;
GRANT SELECT, INSERT ON audit TO milepost_projector;

-- Operators read everything but the trips, request replays, settle dead letters, and say where a stopped source
-- continues. Only the worker of a replay writes its progress and its findings.
GRANT SELECT ON log_head, log_source, stored_event, dead_letter, dead_letter_chunk, duplicate_record, source_warning, erasure
  TO milepost_operator;
GRANT SELECT ON generation, replay, replay_member, replay_chunk, audit, applied_lag TO milepost_operator;
GRANT UPDATE (resolution, resolved_at, note) ON dead_letter TO milepost_operator;
GRANT UPDATE (next_offset, epoch, last_offset, last_timestamp, last_hash, fault, fault_at, stopped)
  ON log_source TO milepost_operator;
GRANT INSERT (projection, generation, version, cutoff) ON generation TO milepost_operator;
GRANT INSERT ON replay, replay_member TO milepost_operator;
GRANT UPDATE (phase, halted, error, promote, accept_differences, throttle) ON replay TO milepost_operator;
-- An audit gets its id when an operator requests it, before the worker starts it.
GRANT USAGE ON SEQUENCE audit_audit_id_seq TO milepost_operator, milepost_projector;

-- The eraser redacts columns, and appends the stored event of the erasure. It removes no row, and changes no position,
-- trip id, source or offset.
GRANT SELECT ON log_head, log_source, stored_event, dead_letter, erasure TO milepost_eraser;
GRANT SELECT (position), UPDATE (trail_path, trip_events) ON trip_body TO milepost_eraser;
GRANT UPDATE (driver_id, source_trip_id, tracking_id, insurance_period, trip_start_time, trip_end_time, start_latitude,
    start_longitude, end_latitude, end_longitude, content_hash, duration_seconds, distance_miles, night_driving_seconds,
    highway_miles, night_driving_miles, phone_use_count, rapid_acceleration_count, hard_brake_count, overspeeding_count,
    phone_use_time_seconds, overspeeding_time_seconds, first_name, last_name, email, alias, erased)
  ON stored_event TO milepost_eraser;
GRANT INSERT (position, stored_at, source_offset, revision, source_id, kind, effective, content_hash, fleet_id, driver_id,
    erased)
  ON stored_event TO milepost_eraser;
GRANT UPDATE (raw, rest_bytes, fleets, names, message, resolution, resolved_at, note) ON dead_letter TO milepost_eraser;
GRANT SELECT (dead_letter_id), UPDATE (bytes) ON dead_letter_chunk TO milepost_eraser;
GRANT UPDATE ON log_head TO milepost_eraser;
GRANT INSERT (topic, partition, next_offset, records_read, records_stored),
    UPDATE (next_offset, records_read, records_stored, last_hash)
  ON log_source TO milepost_eraser;
GRANT INSERT (position, keep_aggregates, fleet_id, driver_hash, reason) ON erasure TO milepost_eraser;
-- A kept report may show rows of the driver.
GRANT SELECT (audit_id, equal, report), UPDATE (report) ON audit TO milepost_eraser;
GRANT EXECUTE ON FUNCTION driver_hash TO milepost_eraser;
