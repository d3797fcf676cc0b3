import type { Statement, Transaction } from '@milepost/postgres';
import type { StoredEventRow } from '../stored-event.ts';
import { EVENT_COLUMNS, EVENT_WITH_SOURCE } from './stored-event-columns.ts';

const TRIP_CHAIN: Statement = {
  name: 'lineage-trip-chain',
  text: `SELECT ${EVENT_COLUMNS} FROM ${EVENT_WITH_SOURCE}
         WHERE event.trip_id = $1::uuid ORDER BY event.position DESC LIMIT $2`,
};

/** The newest `limit` stored events of a trip, in the order of the log. */
export async function readTripChain(
  transaction: Transaction,
  tripId: string,
  limit: number,
): Promise<StoredEventRow[]> {
  const rows = await transaction.rows<StoredEventRow>(TRIP_CHAIN, [tripId, limit]);
  return rows.reverse();
}
