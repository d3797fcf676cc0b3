-- The directory: API keys, and the audit trail of operators. It is one schema for all lanes, and may be on another
-- server, so no statement or transaction touches both the directory and a lane.

DO $$ BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO milepost_api, milepost_operator', current_schema());
END $$;

-- The table holds only a hash of each key: a stolen copy gives no access.
CREATE TABLE api_key (
  api_key_id text COLLATE "C" NOT NULL,
  fleet_id text COLLATE "C" NOT NULL,
  key_hash bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  CONSTRAINT api_key_pkey PRIMARY KEY (api_key_id),
  CONSTRAINT api_key_hash UNIQUE (key_hash)
);

-- The keys as the API sees them. A view reads its tables with the privileges of its owner.
CREATE VIEW valid_api_key AS SELECT key_hash, fleet_id FROM api_key WHERE revoked_at IS NULL;

-- The audit trail: who changed what, when, how, and with which outcome. Its grants make it append-only.
CREATE TABLE operator_action (
  operator_action_id bigint GENERATED ALWAYS AS IDENTITY,
  -- The end of the action, not the start of the transaction that records it.
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor text NOT NULL,
  via text COLLATE "C" NOT NULL,
  -- The name of the operation, such as keys.create.
  action text COLLATE "C" NOT NULL,
  parameters jsonb NOT NULL,
  -- refused: the request was wrong, and nothing changed. failed: an error ended the action.
  outcome text COLLATE "C" NOT NULL,
  -- Why the action was refused or failed, or a few words on its result.
  detail text,
  CONSTRAINT operator_action_pkey PRIMARY KEY (operator_action_id),
  CONSTRAINT operator_action_actor CHECK (char_length(actor) BETWEEN 1 AND 128),
  CONSTRAINT operator_action_via CHECK (via IN ('http', 'cli')),
  CONSTRAINT operator_action_action CHECK (char_length(action) BETWEEN 1 AND 64),
  CONSTRAINT operator_action_parameters CHECK (octet_length(parameters::text) <= 16384),
  CONSTRAINT operator_action_outcome CHECK (outcome IN ('done', 'refused', 'failed')),
  CONSTRAINT operator_action_detail CHECK (char_length(detail) <= 1000)
);

GRANT SELECT ON valid_api_key TO milepost_api;
GRANT SELECT, INSERT ON api_key TO milepost_operator;
GRANT UPDATE (revoked_at) ON api_key TO milepost_operator;
GRANT SELECT, INSERT ON operator_action TO milepost_operator;
