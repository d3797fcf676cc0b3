import type { Statement, Transaction } from '@milepost/postgres';
import type { StoredEventRow } from '../stored-event.ts';
import { EVENT_COLUMNS, EVENT_WITH_SOURCE } from './stored-event-columns.ts';

/**
 * A trip belongs to the day's story if any revision with effect ever put it there; where it went afterwards, or that it was
 * deleted, is told by the rest of its chain. The condition is that of the index `stored_event_driver_trips`: with stored
 * events without effect, which never put a trip anywhere, it would be a scan of the whole log.
 */
const DRIVER_DAY_CHAINS: Statement = {
  name: 'lineage-driver-day-chains',
  text: `WITH touching AS (
           SELECT trip_id, min(position) AS first_position FROM log.stored_event
           WHERE kind = 1 AND effective AND fleet_id = $1 AND driver_id = $2
             AND trip_start_time >= $3 AND trip_start_time < $4
           GROUP BY trip_id)
         SELECT ${EVENT_COLUMNS} FROM ${EVENT_WITH_SOURCE} JOIN touching ON touching.trip_id = event.trip_id
         ORDER BY touching.first_position, event.position LIMIT $5`,
};

/** Every stored event of every trip that was ever the driver's on that day, trip by trip, each in the order of the log. */
export async function readDriverDayChains(
  transaction: Transaction,
  { fleetId, driverId, from, to }: { fleetId: string; driverId: string; from: number; to: number },
  limit: number,
): Promise<StoredEventRow[]> {
  return await transaction.rows<StoredEventRow>(DRIVER_DAY_CHAINS, [fleetId, driverId, from, to, limit]);
}
