const DRIVERS = 1_000;

/**
 * SQL that appends one trip at each position up to `through`, taking a fleet's drivers in turn. Existing stored events
 * are kept.
 */
export const fillLog = (through: number) => `
  INSERT INTO stored_event (position, stored_at, source_offset, revision, source_id, kind, effective, content_hash,
    fleet_id, driver_id, source_trip_id, trip_id, trip_start_time, trip_end_time, start_latitude, start_longitude,
    end_latitude, end_longitude, duration_seconds, distance_miles, night_driving_seconds, highway_miles, night_driving_miles,
    phone_use_count, rapid_acceleration_count, hard_brake_count, overspeeding_count, phone_use_time_seconds,
    overspeeding_time_seconds)
  SELECT n, now(), n - 1, 1, 1, 1, true, '\\x00', 'acme', 'driver-' || n % ${DRIVERS}, 'trip-' || n, md5(n::text)::uuid,
    1760000000000 + n * 60000::bigint, 1760000600000 + n * 60000::bigint, 1, 1, 1, 1, 600, 1.5, 0, 0, 0, 0, 0, 0, 0, 0, 0
  FROM log_head head, generate_series(head.position + 1, ${through}) n;
  INSERT INTO trip_body (position, trail_path, trip_events)
  SELECT n, '\\x00', '\\x00' FROM log_head head, generate_series(head.position + 1, ${through}) n;
  UPDATE log_head head SET position = ${through};`;
