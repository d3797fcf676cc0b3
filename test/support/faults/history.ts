import { inTransaction, type Pool } from '@milepost/postgres';
import { deliver } from '../pipeline.ts';
import { driverProfile, tripDeleted, tripProcessed } from '../records.ts';

const MILLISECONDS_PER_DAY = 86_400_000;
const DRIVERS = 9;
const DAYS = 60;

/**
 * Returns the records for the trips `from` to `to` in the last two months. They include corrections in place,
 * corrections that move a trip to another driver and day, deletions, restored trips, late revisions and profiles.
 */
export function history(from: number, to: number): object[] {
  const today = Math.floor(Date.now() / MILLISECONDS_PER_DAY) * MILLISECONDS_PER_DAY;
  return Array.from({ length: to - from + 1 }, (_, index) => from + index).flatMap((number): object[] => {
    const source_trip_id = `trip-${number}`;
    const trip_start_time = today - (1 + (number % DAYS)) * MILLISECONDS_PER_DAY + ((number * 7_919) % 80_000) * 1_000;
    const driver_id = `driver-${number % DRIVERS}`;
    const distance_miles = (number % 97) + 0.1;
    const trip = tripProcessed({ source_trip_id, driver_id, trip_start_time, distance_miles });
    const moved = { ...trip, revision: 3, driver_id: `driver-${(number + 4) % DRIVERS}` };
    if (number % 5 === 0) return [trip, moved, { ...trip, revision: 2, distance_miles: 1 }];
    if (number % 7 === 0) return [trip, tripDeleted({ source_trip_id, revision: 2 })];
    if (number % 11 === 0) return [trip, tripDeleted({ source_trip_id, revision: 2 }), { ...trip, revision: 4 }];
    return number % 13 === 0
      ? [trip, driverProfile({ driver_id, revision: number, alias: `Alias ${number}` })]
      : [trip];
  });
}

/**
 * The columns in which a copy differs from the original. In these expressions, `c` is the copy's number, `t` is the
 * original, and `$1` is the originals' last position.
 */
const DIFFERING: Record<string, string> = {
  position: 't.position + c * $1',
  source_offset: 't.source_offset + c * $1',
  supersedes: 't.supersedes + c * $1',
  trip_id: "md5(t.trip_id::text || '/' || c)::uuid",
  driver_id: "t.driver_id || '-' || c",
  source_trip_id: "t.source_trip_id || '-' || c",
};

/** Fills an empty log with records for this many trips, and with copies that have different ids and drivers. */
export async function fillWithHistory(owner: Pool, trips: number, copies: number): Promise<void> {
  const { headPosition } = await deliver(owner, history(1, trips));
  const { rows } = await owner.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = 'stored_event' ORDER BY ordinal_position`,
  );
  const columns = rows.map((row) => row.name);
  const values = columns.map((column) => DIFFERING[column] ?? `t.${column}`);
  await inTransaction(owner, async (transaction) => {
    await transaction.unprepared(
      {},
      `INSERT INTO stored_event (${columns.join(', ')}) SELECT ${values.join(', ')}
       FROM generate_series(1, $2::bigint) c, stored_event t ORDER BY c, t.position`,
      [headPosition, copies],
    );
    await transaction.unprepared(
      {},
      `INSERT INTO trip_body SELECT t.position + c * $1, t.trail_path, t.trip_events
       FROM generate_series(1, $2::bigint) c, trip_body t`,
      [headPosition, copies],
    );
    await transaction.run(`UPDATE log_head SET position = (SELECT max(position) FROM stored_event);
      UPDATE log_source SET next_offset = position, records_read = position, records_stored = position FROM log_head`);
  });
  await owner.query('VACUUM ANALYZE');
}
