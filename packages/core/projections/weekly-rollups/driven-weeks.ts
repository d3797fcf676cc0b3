import {
  dateOfDayNumber,
  dayNumberOf,
  mondayOfDayNumber,
  type Transaction,
  table,
  tableStatement,
} from '@milepost/postgres';
import { DRIVEN_WEEK, type DrivenWeek } from '../rollups/rows.ts';
import { runningSums } from '../rollups/sums.ts';
import { sumsOfDay, type TouchedDay } from '../rollups/touched-days.ts';

const OF_WEEK = `rollup.fleet_id = week.fleet_id AND rollup.driver_id = week.driver_id
  AND rollup.start_date = ${dateOfDayNumber('week_start')}`;

/**
 * `$1` to `$4` are the touched days. The table already has the sums for the part of a week before its first touched
 * day. To these, the query adds the touched days and the other days from then on. It sums these other days from the log
 * at position `$5`, but they are few, because trips rarely arrive late. LATERAL finds all rows through an index.
 * Without OFFSET 0, the text of the sums would be parsed once for each field.
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
 * Returns the week-to-date rows, one for each day with trips, that change because of the touched days.
 *
 * @param table must no longer have rows for touched days without trips
 * @param through the position at which the touched days were read
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
