import type { Pool } from '@milepost/postgres';
import type { Projection } from '@milepost/projections/engine';

/** The projections whose live generation belongs to an earlier version than this program has: it cannot advance them. */
export async function findOutdated(pool: Pool, projections: readonly Projection[]): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>({
    name: 'find-outdated-generations',
    text: `SELECT live.projection AS name FROM projection.generation live
           JOIN unnest($1::text[], $2::integer[]) AS present (projection, version) USING (projection)
           WHERE live.live AND live.version < present.version ORDER BY 1`,
    values: [projections.map(({ name }) => name), projections.map(({ version }) => version)],
  });
  return rows.map((row) => row.name);
}
