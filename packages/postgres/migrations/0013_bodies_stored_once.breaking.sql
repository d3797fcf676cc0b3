-- The read tables hold no copy of trail paths and trip events: the view of the trips takes them from the log.
-- Breaking: an earlier release reads and writes the copies.

-- Replays that work on the copies, or wait with them, cannot go on. A worker drops what else these replays have built.
UPDATE projection.replay SET phase = 'cancelling', halted = NULL
  WHERE phase <> 'dropping' AND replay_id IN (
    SELECT replay_id FROM projection.replay_member WHERE active AND projection IN ('trail_paths', 'trip_events'));

-- The owner of the read tables, who exchanges their views at a promotion.
SET LOCAL ROLE milepost_projector;

DO $$
DECLARE
  made record;
  body text := $body$(
    SELECT body.%1$I FROM projection.generation live
    JOIN log.stored_event event ON event.trip_id = trip.trip_id AND event.position <= live.checkpoint
    JOIN log.trip_body body ON body.position = event.position
    WHERE live.projection = 'trips' AND live.live AND event.kind = 1 AND event.effective AND NOT EXISTS (
      SELECT FROM log.stored_event successor
      WHERE successor.supersedes = event.position AND successor.position <= live.checkpoint)) AS %1$I$body$;
  -- Entries are stored without the text that all trips of a driver have in common: {"trip_id":" before the id of 32 digits,
  -- then ,"driver_id":"..." of which a line end remains, and two braces at the end.
  entry text := $entry$concat(substr(list_entry, 13, 32), E'\n',
    substr(left(list_entry, -2), 60 + length(to_json(driver_id)::text))) AS list_entry$entry$;
BEGIN
  DROP VIEW IF EXISTS read.trail_paths, read.trip_events;
  FOR made IN
    SELECT projection, live, concat(projection, '_', generation) AS name FROM projection.generation
    WHERE projection IN ('trail_paths', 'trip_events', 'trips') AND dropped_at IS NULL
  LOOP
    IF made.projection <> 'trips' THEN
      EXECUTE format('DROP TABLE IF EXISTS read.%I', made.name);
      CONTINUE;
    END IF;
    -- Empty until a replay has built the trips anew: the rows would all be written again.
    EXECUTE format('ALTER TABLE IF EXISTS read.%I ADD COLUMN position bigint', made.name);
    -- Until then, the log tells the position of each trip as of the checkpoint.
    IF made.live THEN
      DROP VIEW read.trips;
      EXECUTE format('CREATE VIEW read.trips AS SELECT fleet_id, driver_id, trip_id, tracking_id, trip_start_time, trip_end_time,
          position, focus_area, %s, %s, %s FROM read.%I trip',
        entry, format(body, 'trail_path'), format(body, 'trip_events'), made.name);
    END IF;
  END LOOP;
END $$;

-- Listed as every generation whose table is gone.
UPDATE projection.generation SET live = false, dropped_at = now(), failed_position = NULL, failure = NULL
  WHERE projection IN ('trail_paths', 'trip_events') AND dropped_at IS NULL;

RESET ROLE;
