-- A replay builds generations of one or more projections beside the live ones, or brings earlier ones back (roll back).
-- All of its state is here, so that whoever runs it may be killed at any time, and run twice.
CREATE TABLE projection.replay (
  replay_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('build', 'roll_back')),
  -- As asked for: a projection's name, or 'all'.
  projection text COLLATE "C" NOT NULL,
  phase text COLLATE "C" NOT NULL CHECK (phase IN ('filling', 'indexing', 'catching_up', 'verifying', 'waiting',
    'promoting', 'promoted', 'cancelling', 'cancelled', 'dropping', 'dropped')),
  -- Stands still until resumed: an operator paused it, or it failed.
  halted text COLLATE "C" CHECK (halted IN ('paused', 'failed')),
  error text,
  -- The highest of the members' targets.
  target bigint NOT NULL,
  -- Rows of earlier days are not kept; null: all are.
  horizon date,
  -- What the operator wants, changeable at any time.
  promote boolean NOT NULL,
  accept_differences boolean NOT NULL DEFAULT false,
  throttle text COLLATE "C" NOT NULL CHECK (throttle IN ('off', 'auto') OR throttle ~ '^[1-9][0-9]{0,8}$'),
  verification jsonb,
  -- Who runs it. Each claim raises the epoch, which shuts every earlier one out of the steps from phase to phase.
  epoch bigint NOT NULL DEFAULT 0,
  lease_expires_at timestamptz,
  -- Measured by whoever runs it: trips per second lately, and the slowest and fastest of late.
  trips_per_second double precision,
  slowest_trips_per_second double precision,
  fastest_trips_per_second double precision,
  -- Why an automatic throttle holds back, if it does.
  throttled_by text,
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);

-- The generation of each projection that the replay builds or brings back.
CREATE TABLE projection.replay_member (
  replay_id bigint NOT NULL REFERENCES projection.replay,
  projection text COLLATE "C" NOT NULL,
  generation integer NOT NULL,
  -- The position whose state the filled generation shows: where the live one was when the replay was asked for.
  target bigint NOT NULL,
  -- The stage of the filling whose parts are planned; null before the first.
  stage integer,
  filled boolean NOT NULL DEFAULT false,
  indexed boolean NOT NULL DEFAULT false,
  -- What was live before the promotion, and is kept for a roll back.
  replaced_generation integer,
  -- Until the replay has come to its end. A projection has at most one replay at a time.
  active boolean NOT NULL DEFAULT true,
  PRIMARY KEY (replay_id, projection),
  FOREIGN KEY (projection, generation) REFERENCES projection.generation
);
CREATE UNIQUE INDEX replay_member_active ON projection.replay_member (projection) WHERE active;

-- The parts of the stage that is planned. A part is done in the transaction that writes its rows.
CREATE TABLE projection.replay_part (
  replay_id bigint NOT NULL,
  projection text COLLATE "C" NOT NULL,
  stage integer NOT NULL,
  part integer NOT NULL,
  after_key text[] COLLATE "C" NOT NULL,
  through_key text[] COLLATE "C" NOT NULL,
  events bigint NOT NULL,
  done boolean NOT NULL DEFAULT false,
  PRIMARY KEY (replay_id, projection, stage, part),
  FOREIGN KEY (replay_id, projection) REFERENCES projection.replay_member
);
CREATE INDEX replay_part_open ON projection.replay_part (replay_id, projection, stage, part) WHERE NOT done;

ALTER TABLE projection.generation
  ADD COLUMN horizon date,
  -- Live once, kept for a roll back.
  ADD COLUMN retired_at timestamptz,
  -- Its table is gone; the row stays, so that a number never stands for two tables.
  ADD COLUMN dropped_at timestamptz,
  ADD CHECK (NOT (live AND (retired_at IS NOT NULL OR dropped_at IS NOT NULL)));

GRANT SELECT, INSERT, UPDATE ON projection.replay, projection.replay_member TO milepost_projector;
-- Operators ask for replays and say what they want of them; what was done and found is the worker's to write.
GRANT SELECT, INSERT ON projection.replay, projection.replay_member TO milepost_operator;
GRANT UPDATE (phase, halted, error, promote, accept_differences, throttle) ON projection.replay TO milepost_operator;
GRANT SELECT, INSERT, UPDATE, DELETE ON projection.replay_part TO milepost_projector;
GRANT SELECT ON projection.replay_part TO milepost_operator;
GRANT INSERT (projection, generation, version, horizon) ON projection.generation TO milepost_operator;
