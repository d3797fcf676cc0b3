import type { Statement, Transaction } from '@milepost/postgres';
import { dateOfNumber, mondayOfDay, numberOfDay } from '../rollups/calendar-date.ts';
import { type ExactSums, runningSums } from '../rollups/exact-sums.ts';
import type { TouchedDay } from '../rollups/touched-days.ts';

/** A driver's week from Monday through one of the days driven. */
export interface DrivenWeek {
  fleet_id: string;
  driver_id: string;
  /** Number of the Monday since 1970-01-01. */
  week_start: number;
  /** Number of the last day summed, on which the driver drove. */
  day: number;
  /** Of that day alone. */
  day_sums: ExactSums;
  /** From Monday through that day. */
  sums: ExactSums;
}

/**
 * The touched days in `$1` to `$4` take the place of what the table has of them; its other days of the same weeks are as
 * they were. Those are found through LATERAL, one index range for each week. Only weeks through the first touched day or
 * a later one have changed. Without OFFSET 0 the text of the sums would be read once for each of them.
 */
function readWeeks(table: string): Statement {
  return {
    name: `weekly_rollups:read-weeks:${table}`,
    text: `
      WITH touched AS (
        SELECT touched.*, ${mondayOfDay('day')} AS week_start
        FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[]) AS touched (fleet_id, driver_id, day, day_sums)
      ), week AS (
        SELECT fleet_id, driver_id, week_start, min(day) AS first_touched, array_agg(day) AS touched_days
        FROM touched GROUP BY fleet_id, driver_id, week_start
      ), driven AS (
        SELECT week.fleet_id, week.driver_id, week_start, first_touched, driven.day, driven.day_sums
        FROM week CROSS JOIN LATERAL (
          SELECT ${numberOfDay('rollup.through_date')} AS day, rollup.day_sums FROM ${table} rollup
          WHERE rollup.fleet_id = week.fleet_id AND rollup.driver_id = week.driver_id
            AND rollup.start_date = ${dateOfNumber('week_start')}
            AND ${numberOfDay('rollup.through_date')} <> ALL (touched_days)
        ) driven
        UNION ALL
        SELECT fleet_id, driver_id, week_start, min(day) OVER (PARTITION BY fleet_id, driver_id, week_start), day, day_sums
        FROM touched
      ), summed AS (
        SELECT fleet_id, driver_id, week_start, first_touched, day, day_sums, ${runningSums('sums', 'through_day')} AS sums
        FROM (SELECT *, day_sums::numeric[] AS sums FROM driven WHERE day_sums IS NOT NULL OFFSET 0) driven
        WINDOW through_day AS (PARTITION BY fleet_id, driver_id, week_start ORDER BY day)
      )
      SELECT fleet_id, driver_id, week_start, day, day_sums, sums FROM summed WHERE day >= first_touched`,
  };
}

/** The weeks, through each day driven, that the touched days have changed, given a table that no longer has days without trips. */
export async function readDrivenWeeks(
  transaction: Transaction,
  touched: readonly TouchedDay[],
  table: string,
): Promise<DrivenWeek[]> {
  if (touched.length === 0) return [];
  return await transaction.rows<DrivenWeek>(readWeeks(table), [
    touched.map(({ fleet_id }) => fleet_id),
    touched.map(({ driver_id }) => driver_id),
    touched.map(({ day }) => day),
    touched.map(({ sums }) => sums),
  ]);
}
