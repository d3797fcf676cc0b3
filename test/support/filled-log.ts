import { inTransaction, type Pool } from '@milepost/postgres';

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

/**
 * Appends copies of the first stored events. `copies` contains the numbers of the first and the last copy.
 *
 * @param differing the columns in which a copy differs from the original; in these expressions, `c` is the copy's
 * number and `t` is the original
 */
export async function copyEvents(
  owner: Pool,
  originals: number,
  copies: readonly [first: number, last: number],
  differing: Readonly<Record<string, string>>,
): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = 'stored_event' ORDER BY ordinal_position`,
  );
  const columns = rows.map(({ name }) => name);
  const values = columns.map((column) => differing[column] ?? `t.${column}`);
  const from = (table: string) =>
    `FROM generate_series(${copies.join(', ')}) c, ${table} t WHERE t.position <= ${originals} ORDER BY 1`;
  await inTransaction(owner, async (transaction) => {
    await transaction.run(
      `INSERT INTO stored_event (${columns.join(', ')}) SELECT ${values.join(', ')} ${from('stored_event')};
       INSERT INTO trip_body SELECT ${differing['position']}, t.trail_path, t.trip_events ${from('trip_body')};
       UPDATE log_head SET position = (SELECT max(position) FROM stored_event);
       UPDATE log_source SET next_offset = position, records_read = position, records_stored = position FROM log_head`,
    );
  });
}
