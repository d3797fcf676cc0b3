import { SCORE_VERSION } from '@milepost/domain/score-figures';
import { dateOfDayNumber, dayNumberOf, mondayOfDayNumber } from '@milepost/postgres/calendar';
import { table, tableStatement } from '@milepost/postgres/table-statement';
import type { Projection } from '../engine/index.ts';
import { eraseFigures } from '../log/erase-rows.ts';
import { withFillFactor } from '../log/rendered-rows.ts';
import { keepSummaries } from '../retention.ts';
import { DRIVEN_WEEK, emptyDays, readTouchedDays, sumsOfDay, weeklyRows } from '../rollups/days.ts';
import { rollupsFill } from '../rollups/fill.ts';
import { describeScoreChanges } from '../rollups/score-changes.ts';
import { runningSums } from '../rollups/sums.ts';
import { audit } from './audit.ts';

/** Raise this version when the table's columns change. */
const TABLE_VERSION = 1;

const MONDAY_OF_DATE = dateOfDayNumber(mondayOfDayNumber(dayNumberOf('empty.date')));

const deleteEmptyDays = emptyDays(
  'weekly_rollups',
  `rollup.start_date = ${MONDAY_OF_DATE} AND rollup.through_date = empty.date`,
);

const OF_WEEK = `rollup.fleet_id = week.fleet_id AND rollup.driver_id = week.driver_id
  AND rollup.start_date = ${dateOfDayNumber('week_start')}`;

/**
 * Selects the week-to-date rows affected by the touched days `$1` to `$4`, one for each day with trips. The table must
 * no longer contain rows for touched days without trips. It already contains the sums for the part of a week before its
 * first touched day. The query adds the touched days to these sums. It also adds later days that are not touched, summed
 * from the log at position `$5`. There are few such later days, because trips rarely arrive late. LATERAL finds all rows
 * through an index. Without OFFSET 0, the text of the sums would be parsed once for each field.
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
 * One row per driver and day with trips. The row contains the week's totals from Monday through that day as JSON. A
 * query therefore reads one row, both for a complete week and for the current week up to yesterday, and no row changes
 * at midnight. The row also contains the exact sums, to which the sums of a later day are added. For a new trip, it is
 * therefore enough to sum its day instead of its whole week.
 */
export const weeklyRollups: Projection = {
  name: 'weekly_rollups',
  // The version includes the score's version, because a new score formula changes the rows.
  version: SCORE_VERSION + TABLE_VERSION,
  createTable: (table) => `
    CREATE TABLE ${table} (
      start_date date NOT NULL,
      through_date date NOT NULL,
      fleet_id text COLLATE "C" NOT NULL,
      driver_id text COLLATE "C" NOT NULL,
      sums text COLLATE "C" NOT NULL,
      totals text NOT NULL
    );`,
  createIndexes: (table) =>
    `ALTER TABLE ${table} ADD PRIMARY KEY (fleet_id, driver_id, start_date, through_date); ${withFillFactor(table)}`,
  async apply(transaction, range, table) {
    const touched = await readTouchedDays(transaction, range);
    if (touched.length === 0) return;
    // Delete first, because the query for the weeks reads the remaining rows of the table.
    await deleteEmptyDays(transaction, touched, table);
    const weeks = await transaction.rows(readWeeks(table), [
      touched.map(({ fleet_id }) => fleet_id),
      touched.map(({ driver_id }) => driver_id),
      touched.map(({ day }) => day),
      touched.map(({ sums }) => sums),
      range.through,
    ]);
    await weeklyRows.upsert(transaction, table, weeks);
  },
  fill: rollupsFill,
  audit,
  erase: eraseFigures,
  rows: (table) => `
    SELECT through_date AS day, concat_ws('/', fleet_id, driver_id) AS key,
      concat_ws('|', sums, totals) AS value FROM ${table}`,
  keepsFrom: keepSummaries,
  // The last row of a week contains the totals of the whole week.
  describeChanges: describeScoreChanges(
    'week',
    (table) => `
      SELECT DISTINCT ON (fleet_id, driver_id, start_date) fleet_id, driver_id, start_date AS date, totals AS figures
      FROM ${table} ORDER BY fleet_id, driver_id, start_date, through_date DESC`,
  ),
};
