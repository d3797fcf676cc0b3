import type { Pool, Statement } from '@milepost/postgres';
import { NO_DRIVING } from '../rollups/driving-figures.ts';
import type { Summaries, UnknownDrivers } from '../rollups/summary.ts';

const DAILY_SUMMARIES: Statement = {
  name: 'daily-summaries',
  text: `SELECT (SELECT position FROM read.position) AS position, wanted.driver_id, driver.profile, rollup.summary
         FROM unnest($2::text[]) WITH ORDINALITY AS wanted (driver_id, place)
         LEFT JOIN read.drivers driver ON driver.fleet_id = $1 AND driver.driver_id = wanted.driver_id
         LEFT JOIN read.daily_rollups rollup
           ON rollup.fleet_id = $1 AND rollup.driver_id = wanted.driver_id AND rollup.date = $3
         ORDER BY wanted.place`,
};

interface Row {
  position: number;
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
  return { position: rows[0]?.position ?? 0, items: items.join(',') };
}
