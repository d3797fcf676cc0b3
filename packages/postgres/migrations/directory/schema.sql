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
  CONSTRAINT api_key_pkey PRIMARY KEY (api_key_id),
  CONSTRAINT api_key_hash UNIQUE (key_hash),
  CONSTRAINT api_key_name CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100)))
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
          WHERE fleet.fleet_id = api_key.fleet_id), 0) AS lane
   FROM api_key
  WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now());

GRANT USAGE ON SCHEMA milepost_directory TO milepost_api;
GRANT USAGE ON SCHEMA milepost_directory TO milepost_ingest;
GRANT USAGE ON SCHEMA milepost_directory TO milepost_operator;
GRANT USAGE ON SCHEMA milepost_directory TO milepost_projector;
GRANT INSERT, SELECT, UPDATE (revoked_at) ON api_key TO milepost_operator;
GRANT SELECT, UPDATE (last_used_at) ON api_key_use TO milepost_api;
GRANT INSERT, SELECT ON fleet TO milepost_ingest;
GRANT SELECT ON fleet TO milepost_operator;
GRANT SELECT ON lane TO milepost_ingest;
GRANT SELECT ON lane TO milepost_operator;
GRANT SELECT ON listed_lane TO milepost_api;
GRANT SELECT ON listed_lane TO milepost_ingest;
GRANT SELECT ON listed_lane TO milepost_operator;
GRANT SELECT ON listed_lane TO milepost_projector;
GRANT INSERT, SELECT ON operator_action TO milepost_operator;
GRANT SELECT ON valid_api_key TO milepost_api;
