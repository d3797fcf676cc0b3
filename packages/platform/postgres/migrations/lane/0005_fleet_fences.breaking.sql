-- The fences of fleets that moved, or that move, to another lane. Programs that ignore them would lose records.

CREATE TABLE fleet_fence (
  fleet_id text COLLATE "C" NOT NULL,
  -- Whether this lane may store records of the fleet.
  stores boolean NOT NULL,
  -- Whether this lane may skip records of the fleet as records of another lane.
  passes boolean NOT NULL,
  -- The epoch of the process that moves the fleet. A process with a lower epoch cannot change the row.
  epoch bigint NOT NULL,
  CONSTRAINT fleet_fence_pkey PRIMARY KEY (fleet_id)
);

-- Appends read the fences only if it is true.
ALTER TABLE log_head ADD COLUMN has_fences boolean NOT NULL DEFAULT false;

GRANT SELECT, INSERT, UPDATE ON fleet_fence TO milepost_ingest;
