import { SCORE_VERSION } from '@milepost/domain/score-figures';
import type { Projection } from '../engine/index.ts';
import { eraseFigures } from '../log/erase-rows.ts';
import { withFillFactor } from '../log/rendered-rows.ts';
import { keepSummaries } from '../retention.ts';
import { dailyRows, emptyDays, isDriven, readTouchedDays } from '../rollups/days.ts';
import { rollupsFill } from '../rollups/fill.ts';
import { describeScoreChanges } from '../rollups/score-changes.ts';
import { audit } from './audit.ts';

const deleteEmptyDays = emptyDays('daily_rollups', 'rollup.date = empty.date');

/** One row per driver and UTC day with trips. The row contains the day's summary as the daily endpoint's JSON. */
export const dailyRollups: Projection = {
  name: 'daily_rollups',
  // The version is the score's version, because a new score formula changes the rows.
  version: SCORE_VERSION,
  createTable: (table) => `
    CREATE TABLE ${table} (
      date date NOT NULL,
      fleet_id text COLLATE "C" NOT NULL,
      driver_id text COLLATE "C" NOT NULL,
      summary text NOT NULL
    );`,
  createIndexes: (table) =>
    `ALTER TABLE ${table} ADD PRIMARY KEY (fleet_id, driver_id, date); ${withFillFactor(table)}`,
  async apply(transaction, range, table) {
    const days = await readTouchedDays(transaction, range);
    await deleteEmptyDays(transaction, days, table);
    await dailyRows.upsert(transaction, table, days.filter(isDriven));
  },
  fill: rollupsFill,
  audit,
  erase: eraseFigures,
  rows: (table) => `SELECT date AS day, concat_ws('/', fleet_id, driver_id) AS key, summary AS value FROM ${table}`,
  keepsFrom: keepSummaries,
  describeChanges: describeScoreChanges(
    'day',
    (table) => `SELECT fleet_id, driver_id, date, summary AS figures FROM ${table}`,
  ),
};
