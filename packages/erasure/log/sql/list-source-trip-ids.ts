import type { Statement, Transaction } from '@milepost/postgres';

const LIST_SOURCE_TRIP_IDS: Statement = {
  name: 'list-source-trip-ids-of-driver',
  text: `SELECT DISTINCT source_trip_id FROM log.stored_event event
         WHERE event.fleet_id = $1 AND event.driver_id = $2 AND event.source_trip_id IS NOT NULL
           AND ((event.kind = 1 AND event.effective) OR (event.kind = 1 AND NOT event.effective))
           AND (SELECT newest.driver_id FROM log.stored_event newest
             WHERE newest.trip_id = event.trip_id AND newest.kind = 1 ORDER BY newest.revision DESC LIMIT 1) = $2`,
};

/** The pipeline's ids of the trips whose highest revision names the driver, by which dead letters about them are known. */
export async function listSourceTripIds(
  transaction: Transaction,
  fleetId: string,
  driverId: string,
): Promise<ReadonlySet<string>> {
  const rows = await transaction.rows<{ source_trip_id: string }>(LIST_SOURCE_TRIP_IDS, [fleetId, driverId]);
  return new Set(rows.map((row) => row.source_trip_id));
}
