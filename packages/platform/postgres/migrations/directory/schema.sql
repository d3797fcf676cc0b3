-- The schema after all migrations. Generated: `npx vitest run test/integration/schema.test.ts --update`.

CREATE TABLE api_key (
  api_key_id text COLLATE "C" NOT NULL,
  fleet_id text COLLATE "C" NOT NULL,
  key_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  revoked_at timestamp with time zone,
  name text,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  rate_limit_per_minute integer,
  CONSTRAINT api_key_pkey PRIMARY KEY (api_key_id),
  CONSTRAINT api_key_hash UNIQUE (key_hash),
  CONSTRAINT api_key_name CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
  CONSTRAINT api_key_rate_limit CHECK ((rate_limit_per_minute >= 1))
);

CREATE VIEW api_key_use AS
 SELECT key_hash,
    last_used_at
   FROM api_key;

CREATE TABLE fleet (
  fleet_id text COLLATE "C" NOT NULL,
  lane integer NOT NULL,
  placed_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT fleet_pkey PRIMARY KEY (fleet_id),
  CONSTRAINT fleet_lane FOREIGN KEY (lane) REFERENCES lane(lane)
);
CREATE INDEX fleet_by_lane ON fleet USING btree (lane);

CREATE TABLE fleet_move (
  fleet_move_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  fleet_id text COLLATE "C" NOT NULL,
  from_lane integer NOT NULL,
  to_lane integer NOT NULL,
  epoch bigint NOT NULL DEFAULT nextval('fleet_move_epoch'::regclass),
  step text COLLATE "C" NOT NULL DEFAULT 'copying'::text,
  position bigint NOT NULL DEFAULT 0,
  head_position bigint NOT NULL DEFAULT 0,
  requested_by text NOT NULL,
  started_at timestamp with time zone NOT NULL DEFAULT now(),
  ended_at timestamp with time zone,
  error text,
  CONSTRAINT fleet_move_pkey PRIMARY KEY (fleet_move_id),
  CONSTRAINT fleet_move_fleet FOREIGN KEY (fleet_id) REFERENCES fleet(fleet_id),
  CONSTRAINT fleet_move_from_lane FOREIGN KEY (from_lane) REFERENCES lane(lane),
  CONSTRAINT fleet_move_to_lane FOREIGN KEY (to_lane) REFERENCES lane(lane),
  CONSTRAINT fleet_move_ended CHECK (((step = ANY (ARRAY['moved'::text, 'failed'::text])) = (ended_at IS NOT NULL))),
  CONSTRAINT fleet_move_lanes CHECK ((from_lane <> to_lane)),
  CONSTRAINT fleet_move_step CHECK ((step = ANY (ARRAY['copying'::text, 'holding'::text, 'switched'::text, 'moved'::text, 'failed'::text])))
);
CREATE INDEX fleet_move_by_fleet ON fleet_move USING btree (fleet_id);
CREATE UNIQUE INDEX fleet_move_running ON fleet_move USING btree (fleet_id) WHERE ended_at IS NULL;

CREATE TABLE lane (
  lane integer NOT NULL,
  schema text COLLATE "C" NOT NULL,
  address text COLLATE "C",
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT lane_pkey PRIMARY KEY (lane),
  CONSTRAINT lane_schema UNIQUE NULLS NOT DISTINCT (schema, address),
  CONSTRAINT lane_number CHECK ((lane >= 0))
);

CREATE VIEW listed_lane AS
 SELECT lane,
    schema,
    address
   FROM lane;

CREATE TABLE migration (
  number integer NOT NULL,
  name text NOT NULL,
  breaking boolean NOT NULL,
  content_hash text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT migration_pkey PRIMARY KEY (number)
);

CREATE TABLE operator_action (
  operator_action_id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  actor text NOT NULL,
  via text COLLATE "C" NOT NULL,
  action text COLLATE "C" NOT NULL,
  parameters jsonb NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  detail text,
  CONSTRAINT operator_action_pkey PRIMARY KEY (operator_action_id),
  CONSTRAINT operator_action_action CHECK (((char_length(action) >= 1) AND (char_length(action) <= 64))),
  CONSTRAINT operator_action_actor CHECK (((char_length(actor) >= 1) AND (char_length(actor) <= 128))),
  CONSTRAINT operator_action_detail CHECK ((char_length(detail) <= 1000)),
  CONSTRAINT operator_action_outcome CHECK ((outcome = ANY (ARRAY['done'::text, 'refused'::text, 'failed'::text]))),
  CONSTRAINT operator_action_parameters CHECK ((octet_length((parameters)::text) <= 16384)),
  CONSTRAINT operator_action_via CHECK ((via = ANY (ARRAY['http'::text, 'cli'::text])))
);

CREATE VIEW valid_api_key AS
 SELECT key_hash,
    fleet_id,
    COALESCE(( SELECT fleet.lane
           FROM fleet
          WHERE fleet.fleet_id = api_key.fleet_id), 0) AS lane,
    api_key_id,
    rate_limit_per_minute
   FROM api_key
  WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now());

GRANT USAGE ON SCHEMA milepost_directory TO milepost_api;
GRANT USAGE ON SCHEMA milepost_directory TO milepost_ingest;
GRANT USAGE ON SCHEMA milepost_directory TO milepost_operator;
GRANT USAGE ON SCHEMA milepost_directory TO milepost_projector;
GRANT USAGE ON SEQUENCE fleet_move_epoch TO milepost_operator;
GRANT INSERT, SELECT, UPDATE (revoked_at) ON api_key TO milepost_operator;
GRANT SELECT, UPDATE (last_used_at) ON api_key_use TO milepost_api;
GRANT INSERT, SELECT ON fleet TO milepost_ingest;
GRANT SELECT, UPDATE (lane, placed_at) ON fleet TO milepost_operator;
GRANT INSERT, SELECT, UPDATE ON fleet_move TO milepost_operator;
GRANT SELECT ON lane TO milepost_ingest;
GRANT SELECT ON lane TO milepost_operator;
GRANT SELECT ON listed_lane TO milepost_api;
GRANT SELECT ON listed_lane TO milepost_ingest;
GRANT SELECT ON listed_lane TO milepost_operator;
GRANT SELECT ON listed_lane TO milepost_projector;
GRANT SELECT ON migration TO milepost_api;
GRANT SELECT ON migration TO milepost_ingest;
GRANT SELECT ON migration TO milepost_operator;
GRANT SELECT ON migration TO milepost_projector;
GRANT INSERT, SELECT ON operator_action TO milepost_operator;
GRANT SELECT ON valid_api_key TO milepost_api;
