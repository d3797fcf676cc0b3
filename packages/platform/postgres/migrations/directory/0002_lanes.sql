-- The lanes, and the lane of each fleet.

CREATE TABLE lane (
  -- 0, 1, 2, ...: in the order of creation, without gaps.
  lane integer NOT NULL,
  schema text COLLATE "C" NOT NULL,
  -- host:port/database. Null: the database that DATABASE_URL names. A process adds its own user and password.
  address text COLLATE "C",
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT lane_pkey PRIMARY KEY (lane),
  CONSTRAINT lane_schema UNIQUE NULLS NOT DISTINCT (schema, address),
  CONSTRAINT lane_number CHECK (lane >= 0)
);
INSERT INTO lane (lane, schema) VALUES (0, 'milepost');

-- The lanes as processes see them. The API reads no table.
CREATE VIEW listed_lane AS SELECT lane, schema, address FROM lane;

-- The first process that stores a record of a fleet adds its row. A fleet without a row has no records, or was stored before
-- this table existed: then it is in lane 0.
CREATE TABLE fleet (
  fleet_id text COLLATE "C" NOT NULL,
  lane integer NOT NULL,
  placed_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT fleet_pkey PRIMARY KEY (fleet_id),
  CONSTRAINT fleet_lane FOREIGN KEY (lane) REFERENCES lane
);
CREATE INDEX fleet_by_lane ON fleet (lane);

CREATE OR REPLACE VIEW valid_api_key AS
  SELECT key_hash, fleet_id, coalesce((SELECT lane FROM fleet WHERE fleet.fleet_id = api_key.fleet_id), 0) AS lane
  FROM api_key WHERE revoked_at IS NULL;

DO $$ BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO milepost_ingest, milepost_projector', current_schema());
END $$;
GRANT SELECT ON listed_lane TO milepost_api, milepost_ingest, milepost_projector, milepost_operator;
GRANT SELECT ON lane TO milepost_ingest, milepost_operator;
GRANT SELECT ON fleet TO milepost_operator;
GRANT SELECT, INSERT ON fleet TO milepost_ingest;
