-- Read tables live in `read`, one physical table per projection and generation, with a view on the live one.
CREATE SCHEMA read;
CREATE SCHEMA projection;
CREATE SCHEMA access;

-- One row per generation of a projection's read table. The checkpoint moves by compare-and-set in the transaction that
-- writes the rows.
CREATE TABLE projection.generation (
  projection text COLLATE "C" NOT NULL,
  generation integer NOT NULL,
  version integer NOT NULL,
  live boolean NOT NULL DEFAULT false,
  checkpoint bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Set while the projection stands still at a stored event that it cannot apply.
  failed_position bigint,
  failure text,
  PRIMARY KEY (projection, generation)
);
CREATE UNIQUE INDEX generation_live ON projection.generation (projection) WHERE live;

-- Only a hash of each key is stored: a stolen copy of the table opens nothing.
CREATE TABLE access.api_key (
  api_key_id text COLLATE "C" PRIMARY KEY,
  fleet_id text COLLATE "C" NOT NULL,
  key_hash bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);

-- What the API may know beyond the read tables. Views act with their owner's rights.
CREATE VIEW read.api_key AS SELECT key_hash, fleet_id FROM access.api_key WHERE revoked_at IS NULL;
CREATE VIEW read.position AS SELECT coalesce(min(checkpoint), 0) AS position FROM projection.generation WHERE live;

-- Roles belong to the whole server and may exist already, or be made at this moment beside us for another database.
DO $$
DECLARE role_name text;
BEGIN
  FOREACH role_name IN ARRAY ARRAY['milepost_api', 'milepost_ingest', 'milepost_projector', 'milepost_operator'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN', role_name);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
      END;
    END IF;
    IF NOT pg_has_role(current_user, role_name, 'SET') THEN
      EXECUTE format('GRANT %I TO current_user', role_name);
    END IF;
  END LOOP;
END $$;

-- By default everybody may make temporary tables.
DO $$ BEGIN EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database()); END $$;

-- The API reads the read schema and nothing else.
GRANT USAGE ON SCHEMA read TO milepost_api, milepost_projector, milepost_operator;
GRANT SELECT ON read.api_key, read.position TO milepost_api;

-- Ingest adds to the log and can never change or remove what is in it.
GRANT USAGE ON SCHEMA log TO milepost_ingest, milepost_projector, milepost_operator;
GRANT SELECT, INSERT ON log.stored_event, log.trip_body, log.dead_letter, log.source TO milepost_ingest;
GRANT SELECT, UPDATE ON log.head TO milepost_ingest;
GRANT UPDATE ON log.source TO milepost_ingest;

-- The projector reads the log and owns the read tables it makes; the API sees each of them as it is made.
GRANT SELECT ON ALL TABLES IN SCHEMA log TO milepost_projector;
GRANT CREATE ON SCHEMA read TO milepost_projector;
GRANT USAGE ON SCHEMA projection TO milepost_projector, milepost_operator;
GRANT SELECT, INSERT, UPDATE, DELETE ON projection.generation TO milepost_projector;
ALTER DEFAULT PRIVILEGES FOR ROLE milepost_projector IN SCHEMA read GRANT SELECT ON TABLES TO milepost_api;

-- Operators look at everything but the trips themselves, manage keys, and settle dead letters through the ingest path.
GRANT SELECT ON log.head, log.source, log.stored_event, log.dead_letter, projection.generation TO milepost_operator;
GRANT UPDATE (resolution, resolved_at, note) ON log.dead_letter TO milepost_operator, milepost_ingest;
GRANT USAGE ON SCHEMA access TO milepost_operator;
GRANT SELECT, INSERT ON access.api_key TO milepost_operator;
GRANT UPDATE (revoked_at) ON access.api_key TO milepost_operator;
