-- How old an answer may be: seconds since the oldest stored event was stored that the live generations do not all show. No
-- row when there is none.
CREATE VIEW read.lag AS
  SELECT greatest(date_part('epoch', now() - stored_at), 0) AS lag_seconds FROM log.stored_event
  WHERE position = (SELECT coalesce(min(checkpoint), 0) + 1 FROM projection.generation WHERE live);
GRANT SELECT ON read.lag TO milepost_api, milepost_operator;

-- When a running process last said that it holds the claim on the source and that the broker answers.
ALTER TABLE log.source ADD COLUMN held_at timestamptz;
