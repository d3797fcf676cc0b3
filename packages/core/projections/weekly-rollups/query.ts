import { type Connections, columns, query, statement } from '@milepost/postgres';
import { FRESHNESS, FRESHNESS_COLUMNS, type Summaries, toSummaries, type UnknownDrivers } from '../query-results.ts';
import { NO_DRIVING, renderWeek } from '../rollups/sums.ts';

/**
 * `$4` is the week's last day or, for the current week, the last visible day. The last row up to this day contains the
 * totals of the week to date.
 */
const WEEKLY_SUMMARIES = statement('weekly-summaries', {
  ...FRESHNESS_COLUMNS,
  driver_id: 'text',
  ...columns('text?', 'profile', 'totals', 'days'),
})`
  SELECT wanted.driver_id, driver.profile,
    (SELECT totals FROM weekly_rollups week
     WHERE week.fleet_id = $1 AND week.driver_id = wanted.driver_id AND week.start_date = $3
       AND week.through_date <= $4
     ORDER BY week.through_date DESC LIMIT 1) AS totals,
    (SELECT string_agg(day.summary, ',' ORDER BY day.date) FROM daily_rollups day
     WHERE day.fleet_id = $1 AND day.driver_id = wanted.driver_id AND day.date >= $3 AND day.date <= $4) AS days,
    ${FRESHNESS}
  FROM unnest($2::text[]) WITH ORDINALITY AS wanted (driver_id, place)
  LEFT JOIN drivers driver ON driver.fleet_id = $1 AND driver.driver_id = wanted.driver_id
  ORDER BY wanted.place`;

interface WeekRequest {
  /** The week's Monday, `YYYY-MM-DD`. */
  startDate: string;
  /** The week's Sunday, `YYYY-MM-DD`. */
  endDate: string;
  /** The last visible day, which in the current week is yesterday. */
  throughDate: string;
}

/** Returns the drivers' summaries for a week, with its days of travel; a week without trips has zeros and no days. */
export async function weeklySummaries(
  connections: Connections,
  fleetId: string,
  driverIds: readonly string[],
  { startDate, endDate, throughDate }: WeekRequest,
): Promise<Summaries | UnknownDrivers> {
  const values = [fleetId, driverIds, startDate, throughDate];
  const rows = await query(connections, WEEKLY_SUMMARIES, values);
  const noDriving = renderWeek({ ...NO_DRIVING, start_date: startDate, end_date: endDate });
  return toSummaries(rows, ({ totals, days }) => {
    return `${(totals ?? noDriving).slice(0, -1)},"daily_summary_breakdown":[${days ?? ''}]}`;
  });
}
