import { dateOfDayNumber, dayNumberOf, mondayOfDayNumber } from '@milepost/domain/calendar';
import { SCORE_VERSION } from '@milepost/domain/score';
import type { Projection } from '../engine/index.ts';
import { eraseFigures } from '../log/erase-rows.ts';
import { leaveRoom } from '../log/leave-room.ts';
import { keepSummaries } from '../retention.ts';
import { rollupsFill } from '../rollups/fill.ts';
import { describeScoreChanges } from '../rollups/score-changes.ts';
import { emptyDays, readTouchedDays } from '../rollups/touched-days.ts';
import { weeklyRows } from '../rollups/weekly-rows.ts';
import { audit } from './audit.ts';
import { readDrivenWeeks } from './driven-weeks.ts';

/** Rises with the columns of the table. */
const TABLE_VERSION = 1;

const MONDAY_OF_DATE = dateOfDayNumber(mondayOfDayNumber(dayNumberOf('empty.date')));

const deleteEmptyDays = emptyDays(
  'weekly_rollups',
  `rollup.start_date = ${MONDAY_OF_DATE} AND rollup.through_date = empty.date`,
);

/**
 * One row per driver and day driven: the totals of its week from Monday through that day, as JSON. So the running week up
 * to yesterday is one row read, as a closed week is, and no row changes because midnight passes. Beside the JSON are the same
 * sums in full, to which a later day of the week is added: so a trip costs the sums of its day, not of all trips of its week.
 */
export const weeklyRollups: Projection = {
  name: 'weekly_rollups',
  // A new score leads to other rows.
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
    `ALTER TABLE ${table} ADD PRIMARY KEY (fleet_id, driver_id, start_date, through_date); ${leaveRoom(table)}`,
  async apply(transaction, range, table) {
    const days = await readTouchedDays(transaction, range);
    // Before the weeks are read: what is left in the table counts.
    await deleteEmptyDays(transaction, days, table);
    await weeklyRows.upsert(transaction, table, await readDrivenWeeks(transaction, days, table, range.through));
  },
  fill: rollupsFill,
  audit,
  erase: eraseFigures,
  rows: (table) => `
    SELECT through_date AS day, concat_ws('/', fleet_id, driver_id) AS key,
      concat_ws('|', sums, totals) AS value FROM ${table}`,
  keepsFrom: keepSummaries,
  // Of a week's rows the last one is the week's, as far as it was driven.
  describeChanges: describeScoreChanges(
    'week',
    (table) => `
      SELECT DISTINCT ON (fleet_id, driver_id, start_date) fleet_id, driver_id, start_date AS date, totals AS figures
      FROM ${table} ORDER BY fleet_id, driver_id, start_date, through_date DESC`,
  ),
};
