import type { Pool, Statement } from '@milepost/postgres';
import { FRESHNESS, type Freshness } from '../freshness.ts';
import { NO_DRIVING } from '../rollups/driving-figures.ts';
import type { Summaries, UnknownDrivers } from '../rollups/summary.ts';

/** `$4` is the week's last day or the last one that may be shown; the rows through it hold the week's totals so far. */
const WEEKLY_SUMMARIES: Statement = {
  name: 'weekly-summaries',
  text: `SELECT wanted.driver_id, driver.profile,
           (SELECT totals FROM read.weekly_rollups week
            WHERE week.fleet_id = $1 AND week.driver_id = wanted.driver_id AND week.start_date = $3
              AND week.through_date <= $4
            ORDER BY week.through_date DESC LIMIT 1) AS totals,
           (SELECT string_agg(day.summary, ',' ORDER BY day.date) FROM read.daily_rollups day
            WHERE day.fleet_id = $1 AND day.driver_id = wanted.driver_id AND day.date >= $3 AND day.date <= $4) AS days,
           ${FRESHNESS}
         FROM unnest($2::text[]) WITH ORDINALITY AS wanted (driver_id, place)
         LEFT JOIN read.drivers driver ON driver.fleet_id = $1 AND driver.driver_id = wanted.driver_id
         ORDER BY wanted.place`,
};

interface Row extends Freshness {
  driver_id: string;
  profile: string | null;
  totals: string | null;
  days: string | null;
}

export interface WeekRequest {
  /** The week's Monday, `YYYY-MM-DD`. */
  startDate: string;
  /** The Sunday that ends it. */
  endDate: string;
  /** The last day that may be shown: yesterday in the running week. */
  throughDate: string;
}

/** How the drivers did in a week, with the days they drove; a week without trips has zeros and no days. */
export async function weeklySummaries(
  pool: Pool,
  fleetId: string,
  driverIds: readonly string[],
  { startDate, endDate, throughDate }: WeekRequest,
): Promise<Summaries | UnknownDrivers> {
  const values = [fleetId, driverIds, startDate, throughDate];
  const { rows } = await pool.query<Row>({ ...WEEKLY_SUMMARIES, values });
  const unknown = rows.filter((row) => row.profile === null).map((row) => row.driver_id);
  if (unknown.length > 0) return { unknown };
  const noDriving = JSON.stringify({ ...NO_DRIVING, start_date: startDate, end_date: endDate });
  const items = rows.map(({ profile, totals, days }) => {
    const summary = `${(totals ?? noDriving).slice(0, -1)},"daily_summary_breakdown":[${days ?? ''}]}`;
    return `{"driver_info":${profile},"driving_summary":${summary}}`;
  });
  const { position = 0, lag_seconds = 0 } = rows[0] ?? {};
  return { position, lag_seconds, items: items.join(',') };
}
