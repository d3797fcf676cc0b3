-- The schema after all migrations. Generated: `npx vitest run test/integration/schema.test.ts --update`.

CREATE VIEW applied_lag AS
 SELECT GREATEST(date_part('epoch'::text, now() - stored_at), 0::double precision) AS lag_seconds
   FROM stored_event
  WHERE "position" = (( SELECT COALESCE(min(generation.checkpoint), 0::bigint) + 1
           FROM generation
          WHERE generation.live));

CREATE TABLE audit (
  audit_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  at timestamp with time zone NOT NULL DEFAULT now(),
  position bigint NOT NULL,
  equal boolean NOT NULL,
  seconds double precision NOT NULL,
  report jsonb NOT NULL,
  CONSTRAINT audit_pkey PRIMARY KEY (audit_id)
);

CREATE TABLE cleanup (
  cleanup_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  fleet_id text COLLATE "C" NOT NULL,
  requested_at timestamp with time zone NOT NULL DEFAULT now(),
  waits_for text[],
  ready_at timestamp with time zone,
  cleaned_at timestamp with time zone,
  fault text,
  CONSTRAINT cleanup_pkey PRIMARY KEY (cleanup_id)
);
CREATE INDEX cleanup_open ON cleanup USING btree (cleanup_id) WHERE cleaned_at IS NULL;

CREATE TABLE dead_letter (
  dead_letter_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  received_at timestamp with time zone NOT NULL,
  source_id integer NOT NULL,
  source_offset bigint NOT NULL,
  reason text COLLATE "C" NOT NULL,
  field text,
  message text NOT NULL,
  raw bytea,
  resolution text,
  resolved_at timestamp with time zone,
  note text,
  rest_bytes bigint NOT NULL DEFAULT 0,
  fleets text[] COLLATE "C",
  names bigint[],
  CONSTRAINT dead_letter_pkey PRIMARY KEY (dead_letter_id),
  CONSTRAINT dead_letter_source_id FOREIGN KEY (source_id) REFERENCES log_source(source_id),
  CONSTRAINT dead_letter_resolution CHECK ((resolution = ANY (ARRAY['retried'::text, 'duplicate'::text, 'discarded'::text]))),
  CONSTRAINT dead_letter_resolved CHECK (((resolution IS NULL) = (resolved_at IS NULL)))
);
CREATE INDEX dead_letter_names ON dead_letter USING gin (names);
CREATE INDEX dead_letter_open ON dead_letter USING btree (dead_letter_id) WHERE resolution IS NULL;
CREATE INDEX dead_letter_source ON dead_letter USING btree (source_id, source_offset);
CREATE INDEX dead_letter_unclear ON dead_letter USING btree (dead_letter_id) WHERE raw IS NOT NULL AND names IS NULL;

CREATE TABLE dead_letter_chunk (
  dead_letter_id bigint NOT NULL,
  chunk integer NOT NULL,
  bytes bytea NOT NULL,
  CONSTRAINT dead_letter_chunk_pkey PRIMARY KEY (dead_letter_id, chunk),
  CONSTRAINT dead_letter_chunk_dead_letter_id FOREIGN KEY (dead_letter_id) REFERENCES dead_letter(dead_letter_id),
  CONSTRAINT dead_letter_chunk_number CHECK ((chunk > 0)),
  CONSTRAINT dead_letter_chunk_size CHECK ((octet_length(bytes) <= 262144))
);

CREATE OR REPLACE FUNCTION driver_hash(fleet_id text, driver_id text)
 RETURNS bytea
 LANGUAGE sql
 STABLE SECURITY DEFINER
RETURN (SELECT sha256((pepper.value || convert_to(((driver_hash.fleet_id || '/'::text) || driver_hash.driver_id), 'UTF8'::name))) AS sha256 FROM erasure_pepper pepper)
;

CREATE TABLE duplicate_record (
  received_at timestamp with time zone NOT NULL,
  source_id integer NOT NULL,
  source_offset bigint NOT NULL,
  position bigint NOT NULL
);
CREATE INDEX duplicate_record_position ON duplicate_record USING btree ("position");

CREATE TABLE erased_trip (
  trip_id uuid NOT NULL,
  name bigint,
  CONSTRAINT erased_trip_pkey PRIMARY KEY (trip_id)
);

CREATE TABLE erasure (
  position bigint NOT NULL,
  erased_at timestamp with time zone NOT NULL DEFAULT now(),
  keep_aggregates boolean NOT NULL,
  fleet_id text COLLATE "C" NOT NULL,
  driver_hash bytea NOT NULL,
  pseudonym text COLLATE "C" NOT NULL GENERATED ALWAYS AS (('erased-'::text || "left"(encode(driver_hash, 'hex'::text), 16))) STORED,
  reason text NOT NULL,
  CONSTRAINT erasure_pkey PRIMARY KEY ("position"),
  CONSTRAINT erasure_reason CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 1000)))
);
CREATE INDEX erasure_driver ON erasure USING btree (driver_hash);
CREATE INDEX erasure_pseudonym ON erasure USING btree (fleet_id, pseudonym);

CREATE TABLE erasure_pepper (
  only_row boolean NOT NULL DEFAULT true,
  value bytea NOT NULL DEFAULT sha256(convert_to(((gen_random_uuid())::text || (gen_random_uuid())::text), 'UTF8'::name)),
  CONSTRAINT erasure_pepper_pkey PRIMARY KEY (only_row),
  CONSTRAINT erasure_pepper_only_row CHECK (only_row)
);

CREATE TABLE fleet_fence (
  fleet_id text COLLATE "C" NOT NULL,
  stores boolean NOT NULL,
  passes boolean NOT NULL,
  epoch bigint NOT NULL,
  CONSTRAINT fleet_fence_pkey PRIMARY KEY (fleet_id)
);

CREATE TABLE generation (
  projection text COLLATE "C" NOT NULL,
  generation integer NOT NULL,
  version integer NOT NULL,
  live boolean NOT NULL DEFAULT false,
  checkpoint bigint NOT NULL DEFAULT 0,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  failed_position bigint,
  failure text,
  cutoff date,
  retired_at timestamp with time zone,
  dropped_at timestamp with time zone,
  CONSTRAINT generation_pkey PRIMARY KEY (projection, generation),
  CONSTRAINT generation_live_is_kept CHECK ((NOT (live AND ((retired_at IS NOT NULL) OR (dropped_at IS NOT NULL)))))
);
CREATE UNIQUE INDEX generation_live ON generation USING btree (projection) WHERE live;

CREATE TABLE job (
  kind text COLLATE "C" NOT NULL,
  requested boolean NOT NULL DEFAULT false,
  audit_id bigint,
  ended_at timestamp with time zone,
  CONSTRAINT job_pkey PRIMARY KEY (kind),
  CONSTRAINT job_kind CHECK ((kind = ANY (ARRAY['audit'::text, 'retention'::text])))
);

CREATE TABLE kafka_finding (
  topic text COLLATE "C" NOT NULL,
  code text COLLATE "C" NOT NULL,
  is_warning boolean NOT NULL,
  message text NOT NULL,
  found_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT kafka_finding_pkey PRIMARY KEY (topic, code)
);

CREATE TABLE log_head (
  only_row boolean NOT NULL DEFAULT true,
  position bigint NOT NULL,
  has_erasures boolean NOT NULL DEFAULT false,
  has_fences boolean NOT NULL DEFAULT false,
  CONSTRAINT log_head_pkey PRIMARY KEY (only_row),
  CONSTRAINT log_head_only_row CHECK (only_row)
);

CREATE TABLE log_source (
  source_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  topic text COLLATE "C" NOT NULL,
  partition integer NOT NULL,
  next_offset bigint NOT NULL DEFAULT 0,
  epoch bigint NOT NULL DEFAULT 0,
  records_read bigint NOT NULL DEFAULT 0,
  records_stored bigint NOT NULL DEFAULT 0,
  records_duplicate bigint NOT NULL DEFAULT 0,
  records_dead_letter bigint NOT NULL DEFAULT 0,
  held_at timestamp with time zone,
  last_offset bigint,
  last_timestamp bigint,
  last_hash bytea,
  fault text,
  fault_at timestamp with time zone,
  stopped boolean NOT NULL DEFAULT false,
  ended_at timestamp with time zone,
  records_elsewhere bigint NOT NULL DEFAULT 0,
  CONSTRAINT log_source_pkey PRIMARY KEY (source_id),
  CONSTRAINT log_source_topic_partition UNIQUE (topic, partition),
  CONSTRAINT log_source_counts CHECK ((records_read = (((records_stored + records_duplicate) + records_dead_letter) + records_elsewhere))),
  CONSTRAINT log_source_fault CHECK (((fault IS NULL) = (fault_at IS NULL))),
  CONSTRAINT log_source_last_record CHECK (((last_offset IS NULL) = (last_timestamp IS NULL))),
  CONSTRAINT log_source_stopped CHECK (((fault IS NOT NULL) OR (NOT stopped)))
);

CREATE TABLE migration (
  number integer NOT NULL,
  name text NOT NULL,
  breaking boolean NOT NULL,
  content_hash text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT migration_pkey PRIMARY KEY (number)
);

CREATE TABLE replay (
  replay_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text COLLATE "C" NOT NULL,
  projection text COLLATE "C" NOT NULL,
  phase text COLLATE "C" NOT NULL,
  halted text COLLATE "C",
  error text,
  target bigint NOT NULL,
  cutoff date,
  promote boolean NOT NULL,
  accept_differences boolean NOT NULL DEFAULT false,
  throttle text COLLATE "C" NOT NULL,
  verification jsonb,
  epoch bigint NOT NULL DEFAULT 0,
  lease_expires_at timestamp with time zone,
  trips_per_second double precision,
  slowest_trips_per_second double precision,
  fastest_trips_per_second double precision,
  throttled_by text,
  requested_by text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  finished_at timestamp with time zone,
  CONSTRAINT replay_pkey PRIMARY KEY (replay_id),
  CONSTRAINT replay_halted CHECK ((halted = ANY (ARRAY['paused'::text, 'failed'::text]))),
  CONSTRAINT replay_kind CHECK ((kind = ANY (ARRAY['build'::text, 'roll_back'::text]))),
  CONSTRAINT replay_phase CHECK ((phase = ANY (ARRAY['filling'::text, 'indexing'::text, 'catching_up'::text, 'verifying'::text, 'waiting'::text, 'promoting'::text, 'promoted'::text, 'cancelling'::text, 'cancelled'::text, 'dropping'::text, 'dropped'::text]))),
  CONSTRAINT replay_throttle CHECK (((throttle = ANY (ARRAY['off'::text, 'auto'::text])) OR (throttle ~ '^[1-9][0-9]{0,8}$'::text)))
);

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
  CONSTRAINT replay_chunk_member FOREIGN KEY (replay_id, projection) REFERENCES replay_member(replay_id, projection)
);
CREATE INDEX replay_chunk_open ON replay_chunk USING btree (replay_id, projection, stage, chunk) WHERE NOT done;

CREATE TABLE replay_member (
  replay_id bigint NOT NULL,
  projection text COLLATE "C" NOT NULL,
  generation integer NOT NULL,
  target bigint NOT NULL,
  stage integer,
  filled boolean NOT NULL DEFAULT false,
  indexed boolean NOT NULL DEFAULT false,
  replaced_generation integer,
  active boolean NOT NULL DEFAULT true,
  filled_with text COLLATE "C",
  CONSTRAINT replay_member_pkey PRIMARY KEY (replay_id, projection),
  CONSTRAINT replay_member_generation FOREIGN KEY (projection, generation) REFERENCES generation(projection, generation),
  CONSTRAINT replay_member_replay FOREIGN KEY (replay_id) REFERENCES replay(replay_id)
);
CREATE UNIQUE INDEX replay_member_active ON replay_member USING btree (projection) WHERE active;

CREATE TABLE set_aside (
  position bigint NOT NULL,
  reason text NOT NULL,
  set_aside_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT set_aside_pkey PRIMARY KEY ("position"),
  CONSTRAINT set_aside_reason CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 1000)))
);

CREATE TABLE source_warning (
  source_id integer NOT NULL,
  reason text COLLATE "C" NOT NULL,
  field text COLLATE "C" NOT NULL,
  records bigint NOT NULL,
  CONSTRAINT source_warning_pkey PRIMARY KEY (source_id, reason, field),
  CONSTRAINT source_warning_source_id FOREIGN KEY (source_id) REFERENCES log_source(source_id)
);

CREATE TABLE stored_event (
  position bigint NOT NULL,
  stored_at timestamp with time zone NOT NULL,
  source_offset bigint NOT NULL,
  revision bigint NOT NULL,
  supersedes bigint,
  trip_start_time bigint,
  trip_end_time bigint,
  start_latitude double precision,
  start_longitude double precision,
  end_latitude double precision,
  end_longitude double precision,
  trip_id uuid,
  source_id integer NOT NULL,
  kind smallint NOT NULL,
  insurance_period smallint,
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
  erased smallint,
  traceparent text COLLATE "C",
  CONSTRAINT stored_event_pkey PRIMARY KEY ("position"),
  CONSTRAINT stored_event_driver CHECK (((kind = 2) = (driver_id IS NULL))),
  CONSTRAINT stored_event_effective CHECK ((effective OR (supersedes IS NULL))),
  CONSTRAINT stored_event_erased CHECK ((erased = ANY (ARRAY[1, 2]))),
  CONSTRAINT stored_event_kind CHECK ((kind = ANY (ARRAY[1, 2, 3, 4]))),
  CONSTRAINT stored_event_order CHECK ((supersedes < "position")),
  CONSTRAINT stored_event_trip CHECK (((kind = ANY (ARRAY[3, 4])) = (trip_id IS NULL)))
);
CREATE INDEX stored_event_driver_late ON stored_event USING btree (fleet_id, driver_id) WHERE kind = 1 AND NOT effective;
CREATE INDEX stored_event_driver_trips ON stored_event USING btree (fleet_id, driver_id, trip_start_time) WHERE kind = 1 AND effective;
CREATE UNIQUE INDEX stored_event_profile_revision ON stored_event USING btree (fleet_id, driver_id, revision) WHERE kind = 3;
CREATE UNIQUE INDEX stored_event_supersedes ON stored_event USING btree (supersedes) WHERE supersedes IS NOT NULL;
CREATE UNIQUE INDEX stored_event_trip_revision ON stored_event USING btree (trip_id, revision) WHERE trip_id IS NOT NULL;

CREATE TABLE trip_body (
  position bigint NOT NULL,
  trail_path bytea STORAGE EXTERNAL NOT NULL,
  trip_events bytea STORAGE EXTERNAL,
  CONSTRAINT trip_body_pkey PRIMARY KEY ("position")
);

GRANT EXECUTE ON FUNCTION driver_hash TO milepost_eraser;
GRANT EXECUTE ON FUNCTION driver_hash TO milepost_ingest;
GRANT USAGE ON SCHEMA milepost TO milepost_api;
GRANT USAGE ON SCHEMA milepost TO milepost_eraser;
GRANT USAGE ON SCHEMA milepost TO milepost_ingest;
GRANT USAGE ON SCHEMA milepost TO milepost_operator;
GRANT CREATE, USAGE ON SCHEMA milepost TO milepost_projector;
GRANT USAGE ON SEQUENCE audit_audit_id_seq TO milepost_operator;
GRANT USAGE ON SEQUENCE audit_audit_id_seq TO milepost_projector;
GRANT SELECT ON applied_lag TO milepost_api;
GRANT SELECT ON applied_lag TO milepost_operator;
GRANT SELECT (audit_id, equal, report), UPDATE (report) ON audit TO milepost_eraser;
GRANT SELECT ON audit TO milepost_operator;
GRANT INSERT, MAINTAIN, SELECT ON audit TO milepost_projector;
GRANT INSERT (fleet_id) ON cleanup TO milepost_eraser;
GRANT SELECT ON cleanup TO milepost_operator;
GRANT MAINTAIN, SELECT, UPDATE (cleaned_at, fault, ready_at, waits_for) ON cleanup TO milepost_projector;
GRANT SELECT, UPDATE (fleets, message, names, note, raw, resolution, resolved_at, rest_bytes) ON dead_letter TO milepost_eraser;
GRANT INSERT, SELECT, UPDATE (note, resolution, resolved_at) ON dead_letter TO milepost_ingest;
GRANT SELECT, UPDATE (note, resolution, resolved_at) ON dead_letter TO milepost_operator;
GRANT MAINTAIN, SELECT ON dead_letter TO milepost_projector;
GRANT SELECT (dead_letter_id), UPDATE (bytes) ON dead_letter_chunk TO milepost_eraser;
GRANT INSERT, SELECT ON dead_letter_chunk TO milepost_ingest;
GRANT SELECT ON dead_letter_chunk TO milepost_operator;
GRANT MAINTAIN, SELECT ON dead_letter_chunk TO milepost_projector;
GRANT INSERT, SELECT ON duplicate_record TO milepost_ingest;
GRANT SELECT ON duplicate_record TO milepost_operator;
GRANT MAINTAIN, SELECT ON duplicate_record TO milepost_projector;
GRANT INSERT, SELECT ON erased_trip TO milepost_eraser;
GRANT SELECT ON erased_trip TO milepost_ingest;
GRANT MAINTAIN ON erased_trip TO milepost_projector;
GRANT INSERT (driver_hash, fleet_id, keep_aggregates, position, reason), SELECT ON erasure TO milepost_eraser;
GRANT SELECT ON erasure TO milepost_ingest;
GRANT SELECT ON erasure TO milepost_operator;
GRANT MAINTAIN, SELECT ON erasure TO milepost_projector;
GRANT MAINTAIN ON erasure_pepper TO milepost_projector;
GRANT INSERT, SELECT, UPDATE ON fleet_fence TO milepost_ingest;
GRANT MAINTAIN ON fleet_fence TO milepost_projector;
GRANT SELECT ON generation TO milepost_ingest;
GRANT INSERT (cutoff, generation, projection, version), SELECT ON generation TO milepost_operator;
GRANT DELETE, INSERT, MAINTAIN, SELECT, UPDATE ON generation TO milepost_projector;
GRANT SELECT, UPDATE (audit_id, requested) ON job TO milepost_operator;
GRANT MAINTAIN, SELECT, UPDATE (audit_id, ended_at, requested) ON job TO milepost_projector;
GRANT DELETE, INSERT, SELECT, UPDATE ON kafka_finding TO milepost_ingest;
GRANT SELECT ON kafka_finding TO milepost_operator;
GRANT MAINTAIN ON kafka_finding TO milepost_projector;
GRANT SELECT, UPDATE ON log_head TO milepost_eraser;
GRANT SELECT, UPDATE ON log_head TO milepost_ingest;
GRANT SELECT ON log_head TO milepost_operator;
GRANT MAINTAIN, SELECT ON log_head TO milepost_projector;
GRANT INSERT (next_offset, partition, records_read, records_stored, topic), SELECT, UPDATE (last_hash, next_offset, records_read, records_stored) ON log_source TO milepost_eraser;
GRANT INSERT, SELECT, UPDATE ON log_source TO milepost_ingest;
GRANT SELECT, UPDATE (epoch, fault, fault_at, last_hash, last_offset, last_timestamp, next_offset, stopped) ON log_source TO milepost_operator;
GRANT MAINTAIN, SELECT ON log_source TO milepost_projector;
GRANT SELECT ON migration TO milepost_api;
GRANT SELECT ON migration TO milepost_eraser;
GRANT SELECT ON migration TO milepost_ingest;
GRANT SELECT ON migration TO milepost_operator;
GRANT MAINTAIN, SELECT ON migration TO milepost_projector;
GRANT INSERT, SELECT, UPDATE (accept_differences, error, halted, phase, promote, throttle) ON replay TO milepost_operator;
GRANT INSERT, MAINTAIN, SELECT, UPDATE ON replay TO milepost_projector;
GRANT SELECT ON replay_chunk TO milepost_operator;
GRANT DELETE, INSERT, MAINTAIN, SELECT, UPDATE ON replay_chunk TO milepost_projector;
GRANT INSERT, SELECT ON replay_member TO milepost_operator;
GRANT INSERT, MAINTAIN, SELECT, UPDATE ON replay_member TO milepost_projector;
GRANT INSERT ON set_aside TO milepost_ingest;
GRANT DELETE, INSERT, SELECT ON set_aside TO milepost_operator;
GRANT MAINTAIN, SELECT ON set_aside TO milepost_projector;
GRANT INSERT, SELECT, UPDATE ON source_warning TO milepost_ingest;
GRANT SELECT ON source_warning TO milepost_operator;
GRANT MAINTAIN ON source_warning TO milepost_projector;
GRANT INSERT (content_hash, driver_id, effective, erased, fleet_id, kind, position, revision, source_id, source_offset, stored_at), SELECT, UPDATE (alias, content_hash, distance_miles, driver_id, duration_seconds, email, end_latitude, end_longitude, erased, first_name, hard_brake_count, highway_miles, insurance_period, last_name, night_driving_miles, night_driving_seconds, overspeeding_count, overspeeding_time_seconds, phone_use_count, phone_use_time_seconds, rapid_acceleration_count, source_trip_id, start_latitude, start_longitude, traceparent, tracking_id, trip_end_time, trip_start_time) ON stored_event TO milepost_eraser;
GRANT INSERT, SELECT ON stored_event TO milepost_ingest;
GRANT SELECT ON stored_event TO milepost_operator;
GRANT MAINTAIN, SELECT ON stored_event TO milepost_projector;
GRANT SELECT (position), UPDATE (trail_path, trip_events) ON trip_body TO milepost_eraser;
GRANT INSERT, SELECT ON trip_body TO milepost_ingest;
GRANT MAINTAIN, SELECT ON trip_body TO milepost_projector;
