import type { Pool, Statement } from '@milepost/postgres';
import { FRESHNESS, type Freshness } from '../freshness.ts';
import { NO_DRIVING } from '../rollups/driving-figures.ts';
import type { Summaries, UnknownDrivers } from '../rollups/summary.ts';

const DAILY_SUMMARIES: Statement = {
  name: 'daily-summaries',
  text: `SELECT wanted.driver_id, driver.profile, rollup.summary,
           ${FRESHNESS}
         FROM unnest($2::text[]) WITH ORDINALITY AS wanted (driver_id, place)
         LEFT JOIN read.drivers driver ON driver.fleet_id = $1 AND driver.driver_id = wanted.driver_id
         LEFT JOIN read.daily_rollups rollup
           ON rollup.fleet_id = $1 AND rollup.driver_id = wanted.driver_id AND rollup.date = $3
         ORDER BY wanted.place`,
};

interface Row extends Freshness {
  driver_id: string;
  profile: string | null;
  summary: string | null;
}

/** How the drivers did on a UTC day (`YYYY-MM-DD`); a day without trips has zeros. */
export async function dailySummaries(
  pool: Pool,
  fleetId: string,
  driverIds: readonly string[],
  date: string,
): Promise<Summaries | UnknownDrivers> {
  const { rows } = await pool.query<Row>({ ...DAILY_SUMMARIES, values: [fleetId, driverIds, date] });
  const unknown = rows.filter((row) => row.profile === null).map((row) => row.driver_id);
  if (unknown.length > 0) return { unknown };
  const noDriving = JSON.stringify({ ...NO_DRIVING, date });
  const items = rows.map((row) => `{"driver_info":${row.profile},"driving_summary":${row.summary ?? noDriving}}`);
  const { position = 0, lag_seconds = 0 } = rows[0] ?? {};
  return { position, lag_seconds, items: items.join(',') };
}
