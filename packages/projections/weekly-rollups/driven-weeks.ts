import type { Statement, Transaction } from '@milepost/postgres';
import { dateOfNumber, mondayOfDay, numberOfDay } from '../rollups/calendar-date.ts';
import { type ExactSums, runningSums } from '../rollups/exact-sums.ts';
import { sumsOfDay, type TouchedDay } from '../rollups/touched-days.ts';

/** A driver's week from Monday through one of the days driven. */
export interface DrivenWeek {
  fleet_id: string;
  driver_id: string;
  /** Number of the Monday since 1970-01-01. */
  week_start: number;
  /** Number of the last day summed, on which the driver drove. */
  day: number;
  /** From Monday through that day. */
  sums: ExactSums;
}

/**
 * What a week had before its first touched day in `$1` to `$4` is in the table; from that day on the touched days are added,
 * and such as come behind them, which are summed from the log at position `$5`: they are few, as trips seldom come late.
 * All is found through LATERAL, by index. Without OFFSET 0 the text of sums would be read once for each of them.
 */
function readWeeks(table: string): Statement {
  const ofWeek = `rollup.fleet_id = week.fleet_id AND rollup.driver_id = week.driver_id
            AND rollup.start_date = ${dateOfNumber('week_start')}`;
  return {
    name: `weekly_rollups:read-weeks:${table}`,
    text: `
      WITH touched AS (
        SELECT touched.*, ${mondayOfDay('day')} AS week_start
        FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[]) AS touched (fleet_id, driver_id, day, sums)
      ), week AS (
        SELECT fleet_id, driver_id, week_start, min(day) AS first_touched, array_agg(day) AS touched_days
        FROM touched GROUP BY fleet_id, driver_id, week_start
      ), added AS (
        SELECT week.fleet_id, week.driver_id, week_start, first_touched - 1 AS day, before.sums
        FROM week CROSS JOIN LATERAL (
          SELECT sums FROM ${table} rollup
          WHERE ${ofWeek} AND rollup.through_date < ${dateOfNumber('first_touched')}
          ORDER BY rollup.through_date DESC LIMIT 1) before
        UNION ALL
        SELECT fleet_id, driver_id, week_start, day, sums FROM touched WHERE sums IS NOT NULL
        UNION ALL
        SELECT week.fleet_id, week.driver_id, week_start, ${numberOfDay('rollup.through_date')}, driven.sums
        FROM week JOIN ${table} rollup ON ${ofWeek} AND rollup.through_date > ${dateOfNumber('first_touched')}
          AND ${numberOfDay('rollup.through_date')} <> ALL (touched_days)
        CROSS JOIN LATERAL (${sumsOfDay('week', numberOfDay('rollup.through_date'), '$5')}) driven
      ), summed AS (
        SELECT fleet_id, driver_id, week_start, day, ${runningSums('sums', 'through_day')} AS sums
        FROM (SELECT fleet_id, driver_id, week_start, day, sums::numeric[] AS sums FROM added OFFSET 0) added
        WINDOW through_day AS (PARTITION BY fleet_id, driver_id, week_start ORDER BY day)
      )
      SELECT summed.* FROM summed JOIN week USING (fleet_id, driver_id, week_start) WHERE day >= first_touched`,
  };
}

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
  return await transaction.rows<DrivenWeek>(readWeeks(table), [
    touched.map(({ fleet_id }) => fleet_id),
    touched.map(({ driver_id }) => driver_id),
    touched.map(({ day }) => day),
    touched.map(({ sums }) => sums),
    through,
  ]);
}
