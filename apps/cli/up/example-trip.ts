import { addDays, type CalendarDate, dateOf, mondayOf } from '@milepost/domain/calendar';
import type { Pool } from '@milepost/postgres';

/** What the example requests ask for. */
export interface ExampleTrip {
  driverId: string;
  tripId: string;
  trackingId: string | null;
  /** The day of the trip: over, so that summaries answer for it. */
  date: CalendarDate;
  monday: CalendarDate;
}

interface Row {
  driver_id: string;
  trip_id: string;
  tracking_id: string | null;
  trip_start_time: number;
}

/** The trip list and the trip detail show a trip four hours after its end. */
const VISIBLE_AFTER_MILLISECONDS = 4 * 3_600_000;

/**
 * A fleet's newest trip that every endpoint shows by now, with a tracking id and a plainly spelt driver if there is one;
 * null when there is none from the last five months.
 */
export async function findExampleTrip(pool: Pool, fleetId: string, now: number): Promise<ExampleTrip | null> {
  const today = dateOf(now);
  const { rows } = await pool.query<Row>({
    name: 'find-example-trip',
    text: `SELECT driver_id, replace(trip_id::text, '-', '') AS trip_id, tracking_id, trip_start_time
           FROM log.stored_event AS trip
           WHERE fleet_id = $1 AND kind = 1 AND effective
             AND trip_start_time >= $2 AND trip_start_time < $3 AND trip_end_time <= $4
             AND NOT EXISTS (SELECT FROM log.stored_event AS later WHERE later.supersedes = trip.position)
           ORDER BY tracking_id IS NULL, driver_id !~ '^[A-Za-z0-9_-]+$', trip_start_time DESC, trip_id LIMIT 1`,
    values: [fleetId, Date.parse(addDays(today, -150)), Date.parse(today), now - VISIBLE_AFTER_MILLISECONDS],
  });
  const [row] = rows;
  if (!row) return null;
  const date = dateOf(row.trip_start_time);
  return {
    driverId: row.driver_id,
    tripId: row.trip_id,
    trackingId: row.tracking_id,
    date,
    monday: mondayOf(date),
  };
}
