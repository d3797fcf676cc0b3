import type { Pool, Statement } from '@milepost/postgres';
import { FRESHNESS, type Freshness } from '../freshness.ts';
import type { Page, PageRequest } from '../paging.ts';

/** Ordinals are dense, so a page is an index range, page 10,000 as cheap as page 1, and the count is the last ordinal. */
const LIST_DRIVERS: Statement = {
  name: 'list-drivers',
  text: `SELECT coalesce((SELECT max(ordinal) FROM read.drivers WHERE fleet_id = $1), 0) AS count,
           (SELECT string_agg(profile, ',' ORDER BY ordinal) FROM read.drivers
            WHERE fleet_id = $1 AND ordinal > $2 AND ordinal <= $3) AS items,
           ${FRESHNESS}`,
};

/** A page of the fleet's drivers in order of first appearance. */
export async function listDrivers(pool: Pool, fleetId: string, { page, limit }: PageRequest): Promise<Page> {
  const skipped = (page - 1) * limit;
  const { rows } = await pool.query<Freshness & { count: number; items: string | null }>({
    ...LIST_DRIVERS,
    values: [fleetId, skipped, skipped + limit],
  });
  const [row] = rows;
  if (!row) throw new Error('A page of drivers has no row.');
  return { ...row, items: row.items ?? '' };
}
