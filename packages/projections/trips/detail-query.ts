import { bytes, columns, nullable, number, type Pool, query, type RowOf, statement, text } from '@milepost/postgres';
import { trailPathToJson } from '@milepost/trail-codec';
import { unpackTripEvents } from '@milepost/trip-event-codec';
import { FRESHNESS, FRESHNESS_COLUMNS, type Page, type PageRequest } from '../answers.ts';
import { FOCUS_AREA_JSON } from './focus-area.ts';
import { unpackListEntries } from './list-entry.ts';

/** Finds trips by `condition`; `$1` is the fleet, `$2` what the condition compares with, `$3` the latest end time. */
function detailStatements(name: string, condition: string) {
  const visible = `FROM read.trips WHERE fleet_id = $1 AND ${condition} AND trip_end_time <= $3`;
  const page = statement(name, {
    ...FRESHNESS_COLUMNS,
    count: number,
    list_entry: text,
    driver_id: text,
    focus_area: number,
    ...columns(nullable(bytes), 'trail_path', 'trip_events'),
  })`
    WITH found AS MATERIALIZED (SELECT fleet_id, driver_id, trip_id, trip_start_time ${visible})
    SELECT (SELECT count(*) FROM found) AS count,
      trip.list_entry, trip.driver_id, trip.focus_area, trip.trail_path, trip.trip_events, ${FRESHNESS}
    FROM (SELECT * FROM found ORDER BY trip_start_time, trip_id LIMIT $4 OFFSET $5) page
    JOIN read.trips trip USING (fleet_id, driver_id, trip_start_time, trip_id)
    ORDER BY trip_start_time, trip_id`;
  // For a page past the end, of which only the count is wanted.
  const count = statement(`count-${name}`, { ...FRESHNESS_COLUMNS, count: number })`
    SELECT count(*) AS count, ${FRESHNESS} ${visible}`;
  return { page, count };
}
type DetailStatements = ReturnType<typeof detailStatements>;

const BY_TRIP_ID = detailStatements('trip-by-trip-id', 'trip_id = $2::uuid');
const BY_TRACKING_ID = detailStatements('trips-by-tracking-id', 'tracking_id = $2');

/** A trip's list entry, extended by what only the detail has. The list entry is nearly finished JSON, trail and trip events become so here. */
function toDetail(row: RowOf<DetailStatements['page']>): string {
  const trail = row.trail_path === null ? '[]' : trailPathToJson(row.trail_path);
  const events = row.trip_events === null ? '[]' : unpackTripEvents(row.trip_events);
  const focus = FOCUS_AREA_JSON[row.focus_area] ?? '{}';
  const entry = unpackListEntries(row.list_entry, row.driver_id);
  return `${entry.slice(0, -1)},"focus_area":${focus},"trail_path":${trail},"events":${events}}`;
}

interface TripDetailRequest extends PageRequest {
  fleetId: string;
  /** Trips that have ended by this time, in epoch milliseconds. */
  endedBy: number;
}

async function readDetail(
  pool: Pool,
  statements: DetailStatements,
  id: string,
  { fleetId, endedBy, page, limit }: TripDetailRequest,
): Promise<Page | null> {
  const skipped = (page - 1) * limit;
  const values = [fleetId, id, endedBy];
  const found = await query(pool, statements.page, [...values, limit, skipped]);
  const [first] = found;
  if (first) return { ...first, items: found.map(toDetail).join(',') };
  if (skipped === 0) return null;
  const [total] = await query(pool, statements.count, values);
  return total && total.count > 0 ? { ...total, items: '' } : null;
}

/** The trip with this id, 32 hexadecimal digits; null when the fleet has no such trip that may be seen yet. */
export async function findTrip(pool: Pool, tripId: string, request: TripDetailRequest): Promise<Page | null> {
  return await readDetail(pool, BY_TRIP_ID, tripId, request);
}

/** A page of the trips with this tracking id, of whichever drivers; null when the fleet has none that may be seen yet. */
export async function findTripsByTrackingId(
  pool: Pool,
  trackingId: string,
  request: TripDetailRequest,
): Promise<Page | null> {
  return await readDetail(pool, BY_TRACKING_ID, trackingId, request);
}
