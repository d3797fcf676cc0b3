import { tripFocusArea } from '@milepost/domain/score';
import { type Connections, columns, query, type RowOf, statement } from '@milepost/postgres';
import { DamagedBytesError } from '@milepost/trail-codec/bit-reader';
import { trailPathToJson } from '@milepost/trail-codec/json';
import { tripEventsToJson } from '@milepost/trip-event-codec/json';
import { FRESHNESS, FRESHNESS_COLUMNS, type Page, type PageRequest, rowsBefore } from '../query-results.ts';
import type { TripListEntry } from '../resources.ts';
import { unpackListEntries } from './list-entry.ts';

/**
 * Finds trips by `condition`. `$1` is the fleet, `$2` the value in the condition, `$3` the latest end time. For a page
 * past the last one, the statement returns one row with the count and no trip.
 */
function detailStatement(name: string, condition: string) {
  return statement(name, {
    ...FRESHNESS_COLUMNS,
    count: 'number',
    trip_position: 'number?',
    ...columns('text?', 'list_entry', 'driver_id'),
    ...columns('bytes?', 'trail_path', 'trip_events'),
  })`
    WITH found AS MATERIALIZED (
      SELECT fleet_id, driver_id, trip_id, trip_start_time FROM trips
      WHERE fleet_id = $1 AND ${condition} AND trip_end_time <= $3)
    SELECT total.count, trip.position AS trip_position, trip.list_entry, trip.driver_id, trip.trail_path, trip.trip_events,
      ${FRESHNESS}
    FROM (SELECT count(*) AS count FROM found) total
    LEFT JOIN (SELECT * FROM found ORDER BY trip_start_time, trip_id LIMIT $4 OFFSET $5) page ON true
    LEFT JOIN trips trip USING (fleet_id, driver_id, trip_start_time, trip_id)
    ORDER BY trip_start_time, trip_id`;
}
type DetailRow = RowOf<ReturnType<typeof detailStatement>>;
type TripRow = DetailRow & { trip_position: number; list_entry: string; driver_id: string };

const hasTrip = (row: DetailRow): row is TripRow => row.trip_position !== null;

/** A trip's stored body is damaged or missing. */
class DamagedTripError extends Error {
  override readonly name = 'DamagedTripError';
  /** The trip's position in the event log. */
  readonly position: number;

  constructor(position: number, cause: Error) {
    super(`The trip at position ${position} in the event log is damaged: ${cause.message}`, { cause });
    this.position = position;
  }
}

/**
 * Returns a trip's JSON, which is its unpacked list entry plus the fields that appear only in the detail. The focus
 * areas follow the score rules of this release, not those of the last replay.
 */
function toDetail(row: TripRow): string {
  const body = toBody(row);
  const entry = unpackListEntries(row.list_entry, row.driver_id);
  const trip: TripListEntry = JSON.parse(entry);
  const focus = JSON.stringify(tripFocusArea({ ...trip, ...trip.event_summary }));
  return `${entry.slice(0, -1)},"focus_area":${focus},${body}}`;
}

function toBody({ trip_position, trail_path, trip_events }: TripRow): string {
  try {
    if (trail_path === null) throw new DamagedBytesError('The body is missing.');
    const events = trip_events === null ? '[]' : tripEventsToJson(trip_events);
    return `"trail_path":${trailPathToJson(trail_path)},"events":${events}`;
  } catch (error) {
    if (error instanceof DamagedBytesError) throw new DamagedTripError(trip_position, error);
    throw error;
  }
}

interface TripDetailRequest extends PageRequest {
  fleetId: string;
  /** Only trips that have ended by this time, in epoch milliseconds. */
  endedBy: number;
}

/** Returns a function that reads a page of the trips with an id; null when the fleet has no such visible trip. */
function finder(name: string, condition: string) {
  const detail = detailStatement(name, condition);
  return async (connections: Connections, id: string, request: TripDetailRequest): Promise<Page | null> => {
    const { fleetId, endedBy, limit } = request;
    const rows = await query(connections, detail, [fleetId, id, endedBy, limit, rowsBefore(request)]);
    const [first] = rows;
    if (!first || first.count === 0) return null;
    return { ...first, items: rows.filter(hasTrip).map(toDetail).join(',') };
  };
}

/** Finds the trip with this id (32 hexadecimal digits). */
export const findTrip = finder('trip-by-trip-id', 'trip_id = $2::uuid');

/** Finds the trips with this tracking id, by any driver. */
export const findTripsByTrackingId = finder('trips-by-tracking-id', 'tracking_id = $2');
