-- A name, an end and the last use of each API key.

ALTER TABLE api_key ADD COLUMN name text;
ALTER TABLE api_key ADD COLUMN expires_at timestamptz;
-- The hour of the last use. A finer time would need a write for many requests.
ALTER TABLE api_key ADD COLUMN last_used_at timestamptz;
ALTER TABLE api_key ADD CONSTRAINT api_key_name CHECK (char_length(name) BETWEEN 1 AND 100);

CREATE OR REPLACE VIEW valid_api_key AS
  SELECT key_hash, fleet_id, coalesce((SELECT lane FROM fleet WHERE fleet.fleet_id = api_key.fleet_id), 0) AS lane
  FROM api_key WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now());

-- The only rows that the API changes. A view changes its table with the privileges of its owner.
CREATE VIEW api_key_use AS SELECT key_hash, last_used_at FROM api_key;
GRANT SELECT ON api_key_use TO milepost_api;
GRANT UPDATE (last_used_at) ON api_key_use TO milepost_api;
