import type { Pool, Statement } from '@milepost/postgres';
import type { Page, PageRequest } from '../paging.ts';

/** Ordinals are dense, so a page is an index range, page 10,000 as cheap as page 1, and the count is the last ordinal. */
const LIST_DRIVERS: Statement = {
  name: 'list-drivers',
  text: `SELECT (SELECT position FROM read.position) AS position,
           coalesce((SELECT max(ordinal) FROM read.drivers WHERE fleet_id = $1), 0) AS count,
           (SELECT string_agg(profile, ',' ORDER BY ordinal) FROM read.drivers
            WHERE fleet_id = $1 AND ordinal > $2 AND ordinal <= $3) AS items`,
};

/** A page of the fleet's drivers in order of first appearance. */
export async function listDrivers(pool: Pool, fleetId: string, { page, limit }: PageRequest): Promise<Page> {
  const skipped = (page - 1) * limit;
  const { rows } = await pool.query<{ position: number; count: number; items: string | null }>({
    ...LIST_DRIVERS,
    values: [fleetId, skipped, skipped + limit],
  });
  const [row] = rows;
  return { position: row?.position ?? 0, count: row?.count ?? 0, items: row?.items ?? '' };
}
