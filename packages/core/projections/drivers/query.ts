import { type Connections, queryRow, statement } from '@milepost/postgres';
import { FRESHNESS, FRESHNESS_COLUMNS, type Page, type PageRequest, rowsBefore } from '../query-results.ts';

/**
 * Ordinals have no gaps. A page is therefore a range of the index, page 10,000 costs as much as page 1, and the last
 * ordinal is the count.
 */
const LIST_DRIVERS = statement('list-drivers', { ...FRESHNESS_COLUMNS, count: 'number', items: 'text?' })`
  SELECT coalesce((SELECT max(ordinal) FROM drivers WHERE fleet_id = $1), 0) AS count,
  (SELECT string_agg(profile, ',' ORDER BY ordinal) FROM drivers
   WHERE fleet_id = $1 AND ordinal > $2 AND ordinal <= $3) AS items,
  ${FRESHNESS}`;

/** Returns a page of the fleet's drivers, in the order in which they first appear. */
export async function listDrivers(connections: Connections, fleetId: string, request: PageRequest): Promise<Page> {
  const skipped = rowsBefore(request);
  const row = await queryRow(connections, LIST_DRIVERS, [fleetId, skipped, skipped + request.limit]);
  return { ...row, items: row.items ?? '' };
}
