-- The moves of fleets between lanes. The rows stay: a lane keeps the log of a fleet that has left it.

CREATE SEQUENCE fleet_move_epoch;

CREATE TABLE fleet_move (
  fleet_move_id bigint GENERATED ALWAYS AS IDENTITY,
  fleet_id text COLLATE "C" NOT NULL,
  from_lane integer NOT NULL,
  to_lane integer NOT NULL,
  -- Each process that runs the move takes a new epoch. A process with an earlier epoch can change nothing.
  epoch bigint NOT NULL DEFAULT nextval('fleet_move_epoch'),
  step text COLLATE "C" NOT NULL DEFAULT 'copying',
  -- The position in the log of `from_lane` up to which the fleet is copied, and the last position of that log.
  position bigint NOT NULL DEFAULT 0,
  head_position bigint NOT NULL DEFAULT 0,
  requested_by text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  -- Why the move failed.
  error text,
  CONSTRAINT fleet_move_pkey PRIMARY KEY (fleet_move_id),
  CONSTRAINT fleet_move_fleet FOREIGN KEY (fleet_id) REFERENCES fleet,
  CONSTRAINT fleet_move_from_lane FOREIGN KEY (from_lane) REFERENCES lane,
  CONSTRAINT fleet_move_to_lane FOREIGN KEY (to_lane) REFERENCES lane,
  CONSTRAINT fleet_move_lanes CHECK (from_lane <> to_lane),
  CONSTRAINT fleet_move_step CHECK (step IN ('copying', 'holding', 'switched', 'moved', 'failed')),
  CONSTRAINT fleet_move_ended CHECK ((step IN ('moved', 'failed')) = (ended_at IS NOT NULL))
);
CREATE UNIQUE INDEX fleet_move_running ON fleet_move (fleet_id) WHERE ended_at IS NULL;
CREATE INDEX fleet_move_by_fleet ON fleet_move (fleet_id);

GRANT SELECT, INSERT, UPDATE ON fleet_move TO milepost_operator;
GRANT USAGE ON SEQUENCE fleet_move_epoch TO milepost_operator;
GRANT UPDATE (lane, placed_at) ON fleet TO milepost_operator;
