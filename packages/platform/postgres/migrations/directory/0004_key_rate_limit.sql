-- A rate limit of its own for an API key.

ALTER TABLE api_key ADD COLUMN rate_limit_per_minute integer;
ALTER TABLE api_key ADD CONSTRAINT api_key_rate_limit CHECK (rate_limit_per_minute >= 1);

CREATE OR REPLACE VIEW valid_api_key AS
  SELECT key_hash, fleet_id, coalesce((SELECT lane FROM fleet WHERE fleet.fleet_id = api_key.fleet_id), 0) AS lane,
    api_key_id, rate_limit_per_minute
  FROM api_key WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now());
