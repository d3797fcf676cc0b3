import { type Connections, queryRow, statement } from '@milepost/postgres';
import { FRESHNESS, FRESHNESS_COLUMNS, type Page, type PageRequest, rowsBefore } from '../query-results.ts';
import { BETWEEN_ENTRIES, unpackListEntries } from './list-entry.ts';

const MIN_TRIP_ID = '00000000-0000-0000-0000-000000000000';
const OF_DRIVER = `fleet_id = $1 AND driver_id = $2 AND trip_end_time <= $4`;

/**
 * Page 1 needs no search. For any other page, an index-only scan finds the first trip. With OFFSET on the rows
 * themselves, the statement would read all earlier trips one by one from the table, where a driver's trips may be far
 * apart.
 */
const LIST_TRIPS = statement('list-trips', { ...FRESHNESS_COLUMNS, known: 'boolean', count: 'number', items: 'text?' })`
  SELECT EXISTS (SELECT FROM drivers WHERE fleet_id = $1 AND driver_id = $2) AS known,
  (SELECT count(*) FROM trips WHERE ${OF_DRIVER} AND trip_start_time >= $3) AS count,
  (SELECT string_agg(list_entry, '${BETWEEN_ENTRIES}' ORDER BY trip_start_time, trip_id) FROM (
     SELECT list_entry, trip_start_time, trip_id FROM trips
     WHERE ${OF_DRIVER} AND (trip_start_time, trip_id) >= (
       SELECT $3, '${MIN_TRIP_ID}'::uuid WHERE $6::bigint = 0
       UNION ALL (
         SELECT trip_start_time, trip_id FROM trips WHERE ${OF_DRIVER} AND trip_start_time >= $3 AND $6 > 0
         ORDER BY trip_start_time, trip_id LIMIT 1 OFFSET $6))
     ORDER BY trip_start_time, trip_id LIMIT $5) trip) AS items,
  ${FRESHNESS}`;

interface TripListRequest extends PageRequest {
  fleetId: string;
  driverId: string;
  /** Only trips that start at or after this time, in epoch milliseconds. */
  startsFrom: number;
  /** Only trips that have ended by this time, in epoch milliseconds. */
  endedBy: number;
}

/** Returns a page of a driver's trips in order of start time; null when the fleet has no such driver. */
export async function listTrips(connections: Connections, request: TripListRequest): Promise<Page | null> {
  const { fleetId, driverId, startsFrom, endedBy, limit } = request;
  const values = [fleetId, driverId, startsFrom, endedBy, limit, rowsBefore(request)];
  const row = await queryRow(connections, LIST_TRIPS, values);
  if (!row.known) return null;
  return { ...row, items: row.items === null ? '' : unpackListEntries(row.items, driverId) };
}
