import type { Pool, Statement } from '@milepost/postgres';
import { FRESHNESS, type Freshness } from '../freshness.ts';
import type { Page, PageRequest } from '../paging.ts';

const LIST_TRIPS: Statement = {
  name: 'list-trips',
  text: `SELECT EXISTS (SELECT FROM read.drivers WHERE fleet_id = $1 AND driver_id = $2) AS known,
           (SELECT count(*) FROM read.trips
            WHERE fleet_id = $1 AND driver_id = $2 AND trip_start_time >= $3 AND trip_end_time <= $4) AS count,
           (SELECT string_agg(list_entry, ',' ORDER BY trip_start_time, trip_id) FROM (
              SELECT list_entry, trip_start_time, trip_id FROM read.trips
              WHERE fleet_id = $1 AND driver_id = $2 AND trip_start_time >= $3 AND trip_end_time <= $4
              ORDER BY trip_start_time, trip_id LIMIT $5 OFFSET $6) trip) AS items,
           ${FRESHNESS}`,
};

export interface TripListRequest extends PageRequest {
  fleetId: string;
  driverId: string;
  /** Trips that start at or after this time, in epoch milliseconds. */
  startsFrom: number;
  /** Trips that have ended by this time, in epoch milliseconds. */
  endedBy: number;
}

/** A page of a driver's trips in order of start time; null when the fleet has no such driver. */
export async function listTrips(pool: Pool, request: TripListRequest): Promise<Page | null> {
  const { fleetId, driverId, startsFrom, endedBy, page, limit } = request;
  const { rows } = await pool.query<Freshness & { known: boolean; count: number; items: string | null }>({
    ...LIST_TRIPS,
    values: [fleetId, driverId, startsFrom, endedBy, limit, (page - 1) * limit],
  });
  const [row] = rows;
  if (!row?.known) return null;
  return { ...row, items: row.items ?? '' };
}
