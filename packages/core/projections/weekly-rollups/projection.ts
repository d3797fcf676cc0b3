import { SCORE_VERSION } from '@milepost/domain/score';
import { dateOfDayNumber, dayNumberOf, mondayOfDayNumber } from '@milepost/postgres';
import type { Projection } from '../engine/index.ts';
import { eraseFigures } from '../log/erase-rows.ts';
import { withFillFactor } from '../log/rendered-rows.ts';
import { keepSummaries } from '../retention.ts';
import { rollupsFill } from '../rollups/fill.ts';
import { weeklyRows } from '../rollups/rows.ts';
import { describeScoreChanges } from '../rollups/score-changes.ts';
import { emptyDays, readTouchedDays } from '../rollups/touched-days.ts';
import { audit } from './audit.ts';
import { readDrivenWeeks } from './driven-weeks.ts';

/** Raise it when the table's columns change. */
const TABLE_VERSION = 1;

const MONDAY_OF_DATE = dateOfDayNumber(mondayOfDayNumber(dayNumberOf('empty.date')));

const deleteEmptyDays = emptyDays(
  'weekly_rollups',
  `rollup.start_date = ${MONDAY_OF_DATE} AND rollup.through_date = empty.date`,
);

/**
 * One row per driver and day with trips. It has the totals of the week from Monday through that day as JSON, so a query
 * reads one row, for the current week up to yesterday as for a complete week, and no row changes at midnight. The row
 * also has the exact sums, to which those of a later day in the week are added, so a new trip costs only the sums of
 * its day and not those of its whole week.
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
    const days = await readTouchedDays(transaction, range);
    // Delete first, because the query for the weeks reads the remaining rows of the table.
    await deleteEmptyDays(transaction, days, table);
    await weeklyRows.upsert(transaction, table, await readDrivenWeeks(transaction, days, table, range.through));
  },
  fill: rollupsFill,
  fillsWith: 'daily_rollups',
  audit,
  erase: eraseFigures,
  rows: (table) => `
    SELECT through_date AS day, concat_ws('/', fleet_id, driver_id) AS key,
      concat_ws('|', sums, totals) AS value FROM ${table}`,
  keepsFrom: keepSummaries,
  // The last row of a week has the totals of the whole week.
  describeChanges: describeScoreChanges(
    'week',
    (table) => `
      SELECT DISTINCT ON (fleet_id, driver_id, start_date) fleet_id, driver_id, start_date AS date, totals AS figures
      FROM ${table} ORDER BY fleet_id, driver_id, start_date, through_date DESC`,
  ),
};
