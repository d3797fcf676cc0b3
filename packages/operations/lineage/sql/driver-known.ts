import type { Statement, Transaction } from '@milepost/postgres';

const DRIVER_KNOWN: Statement = {
  name: 'lineage-driver-known',
  text: `SELECT EXISTS (SELECT FROM log.stored_event
           WHERE kind = 1 AND effective AND fleet_id = $1 AND driver_id = $2) AS known`,
};

/** Whether any trip was ever the driver's. */
export async function hasTrips(transaction: Transaction, fleetId: string, driverId: string): Promise<boolean> {
  const [row] = await transaction.rows<{ known: boolean }>(DRIVER_KNOWN, [fleetId, driverId]);
  return row?.known ?? false;
}
