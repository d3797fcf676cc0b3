import type { Statement, Transaction } from '@milepost/postgres';
import type { StoredEventRow } from '../stored-event.ts';
import { EVENT_COLUMNS, EVENT_WITH_SOURCE } from './stored-event-columns.ts';

const PROFILE_CHAIN: Statement = {
  name: 'lineage-profile-chain',
  text: `SELECT ${EVENT_COLUMNS} FROM ${EVENT_WITH_SOURCE}
         WHERE event.kind = 3 AND event.fleet_id = $1 AND event.driver_id = $2 ORDER BY event.revision DESC LIMIT $3`,
};

/** The stored events of a driver's profile with the highest `limit` revisions, in the order of the log. */
export async function readProfileChain(
  transaction: Transaction,
  fleetId: string,
  driverId: string,
  limit: number,
): Promise<StoredEventRow[]> {
  const rows = await transaction.rows<StoredEventRow>(PROFILE_CHAIN, [fleetId, driverId, limit]);
  return rows.sort((left, right) => left.position - right.position);
}
