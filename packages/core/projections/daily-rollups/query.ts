import { type Connections, columns, query, statement } from '@milepost/postgres';
import { FRESHNESS, FRESHNESS_COLUMNS, type Summaries, toSummaries, type UnknownDrivers } from '../query-results.ts';
import { NO_DRIVING, renderDay } from '../rollups/sums.ts';

const DAILY_SUMMARIES = statement('daily-summaries', {
  ...FRESHNESS_COLUMNS,
  driver_id: 'text',
  ...columns('text?', 'profile', 'summary'),
})`
  SELECT wanted.driver_id, driver.profile, rollup.summary,
    ${FRESHNESS}
  FROM unnest($2::text[]) WITH ORDINALITY AS wanted (driver_id, place)
  LEFT JOIN drivers driver ON driver.fleet_id = $1 AND driver.driver_id = wanted.driver_id
  LEFT JOIN daily_rollups rollup
    ON rollup.fleet_id = $1 AND rollup.driver_id = wanted.driver_id AND rollup.date = $3
  ORDER BY wanted.place`;

/** Returns the drivers' summaries for a UTC day (`YYYY-MM-DD`); a day without trips has zeros. */
export async function dailySummaries(
  connections: Connections,
  fleetId: string,
  driverIds: readonly string[],
  date: string,
): Promise<Summaries | UnknownDrivers> {
  const rows = await query(connections, DAILY_SUMMARIES, [fleetId, driverIds, date]);
  const noDriving = renderDay({ ...NO_DRIVING, date });
  return toSummaries(rows, ({ summary }) => summary ?? noDriving);
}
