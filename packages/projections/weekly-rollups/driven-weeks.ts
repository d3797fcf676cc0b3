import { dateOfDayNumber, dayNumberOf, mondayOfDayNumber } from '@milepost/domain/calendar';
import { type Transaction, table, tableStatement } from '@milepost/postgres';
import { runningSums } from '../rollups/sums.ts';
import { sumsOfDay, type TouchedDay } from '../rollups/touched-days.ts';
import { DRIVEN_WEEK, type DrivenWeek } from '../rollups/weekly-rows.ts';

const OF_WEEK = `rollup.fleet_id = week.fleet_id AND rollup.driver_id = week.driver_id
  AND rollup.start_date = ${dateOfDayNumber('week_start')}`;

/**
 * What a week had before its first touched day in `$1` to `$4` is in the table; from that day on the touched days are added,
 * and such as come behind them, which are summed from the log at position `$5`: they are few, as trips seldom come late.
 * All is found through LATERAL, by index. Without OFFSET 0 the text of sums would be read once for each of them.
 */
const readWeeks = tableStatement('weekly_rollups:read-weeks', DRIVEN_WEEK)`
  WITH touched AS (
    SELECT touched.*, ${mondayOfDayNumber('day')} AS week_start
    FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[]) AS touched (fleet_id, driver_id, day, sums)
  ), week AS (
    SELECT fleet_id, driver_id, week_start, min(day) AS first_touched, array_agg(day) AS touched_days
    FROM touched GROUP BY fleet_id, driver_id, week_start
  ), added AS (
    SELECT week.fleet_id, week.driver_id, week_start, first_touched - 1 AS day, before.sums
    FROM week CROSS JOIN LATERAL (
      SELECT sums FROM ${table} rollup
      WHERE ${OF_WEEK} AND rollup.through_date < ${dateOfDayNumber('first_touched')}
      ORDER BY rollup.through_date DESC LIMIT 1) before
    UNION ALL
    SELECT fleet_id, driver_id, week_start, day, sums FROM touched WHERE sums IS NOT NULL
    UNION ALL
    SELECT week.fleet_id, week.driver_id, week_start, ${dayNumberOf('rollup.through_date')}, driven.sums
    FROM week JOIN ${table} rollup ON ${OF_WEEK} AND rollup.through_date > ${dateOfDayNumber('first_touched')}
      AND ${dayNumberOf('rollup.through_date')} <> ALL (touched_days)
    CROSS JOIN LATERAL (${sumsOfDay('week', dayNumberOf('rollup.through_date'), '$5')}) driven
  ), summed AS (
    SELECT fleet_id, driver_id, week_start, day, ${runningSums('sums', 'through_day')} AS sums
    FROM (SELECT fleet_id, driver_id, week_start, day, sums::numeric[] AS sums FROM added OFFSET 0) added
    WINDOW through_day AS (PARTITION BY fleet_id, driver_id, week_start ORDER BY day)
  )
  SELECT summed.* FROM summed JOIN week USING (fleet_id, driver_id, week_start) WHERE day >= first_touched`;

/**
 * The weeks, through each day driven, that the touched days have changed.
 *
 * @param table no longer has the touched days on which nothing is driven
 * @param through the position as of which the touched days were read
 */
export async function readDrivenWeeks(
  transaction: Transaction,
  touched: readonly TouchedDay[],
  table: string,
  through: number,
): Promise<DrivenWeek[]> {
  if (touched.length === 0) return [];
  return await transaction.rows(readWeeks(table), [
    touched.map(({ fleet_id }) => fleet_id),
    touched.map(({ driver_id }) => driver_id),
    touched.map(({ day }) => day),
    touched.map(({ sums }) => sums),
    through,
  ]);
}
