import { SCORE_VERSION } from '@milepost/domain/score';
import type { Statement, Transaction } from '@milepost/postgres';
import type { Projection } from '@milepost/projection-engine';
import fastJson from 'fast-json-stringify';
import { eraseFigures } from '../log/erase-rows.ts';
import { packTexts, unpackedText } from '../log/packed-texts.ts';
import { WeekTotals } from '../resources/index.ts';
import { dateOfDay } from '../rollups/calendar-date.ts';
import { toDrivingFigures } from '../rollups/driving-figures.ts';
import { rollupFill } from '../rollups/fill.ts';
import { type PeriodTotals, readTouchedPeriods, WEEK } from '../rollups/period-totals.ts';
import { describeScoreChanges } from '../rollups/score-changes.ts';

const renderTotals = fastJson(WeekTotals);

function render(totals: PeriodTotals): string {
  return renderTotals({
    ...toDrivingFigures(totals),
    start_date: dateOfDay(totals.period_start),
    end_date: dateOfDay(totals.period_start + WEEK.days - 1),
  });
}

/** Among the changed days of the weeks in `$1` to `$4`, those on which nothing is driven any more: not in `$5` to `$7`. */
function deleteEmptyDays(table: string): Statement {
  return {
    name: `weekly_rollups:delete:${table}`,
    text: `DELETE FROM ${table} rollup USING unnest($1::text[], $2::text[], $3::date[], $4::date[]) AS week (fleet_id, driver_id, start_date, first_changed)
           WHERE rollup.fleet_id = week.fleet_id AND rollup.driver_id = week.driver_id AND rollup.start_date = week.start_date
             AND rollup.through_date >= week.first_changed
             AND (rollup.fleet_id, rollup.driver_id, rollup.through_date) NOT IN (SELECT * FROM unnest($5::text[], $6::text[], $7::date[]))`,
  };
}

function insertDays(table: string): Statement {
  return {
    name: `weekly_rollups:insert:${table}`,
    text: `INSERT INTO ${table} AS rollup (fleet_id, driver_id, start_date, through_date, totals)
           SELECT fleet_id, driver_id, start_date, through_date, ${unpackedText('$1')}
           FROM unnest($2::integer[], $3::integer[], $4::text[], $5::text[], $6::date[], $7::date[])
             AS day (start, length, fleet_id, driver_id, start_date, through_date)`,
  };
}

/** A day whose figures are the same is left alone: writing it again would only bloat the table. */
function upsertDays(table: string): Statement {
  return {
    name: `weekly_rollups:upsert:${table}`,
    text: `${insertDays(table).text}
           ON CONFLICT (fleet_id, driver_id, start_date, through_date) DO UPDATE SET totals = excluded.totals
           WHERE rollup.totals <> excluded.totals`,
  };
}

async function write(transaction: Transaction, days: readonly PeriodTotals[], statement: Statement): Promise<void> {
  if (days.length === 0) return;
  const { bytes, starts, lengths } = packTexts(days.map(render));
  await transaction.execute(statement, [
    bytes,
    starts,
    lengths,
    days.map((totals) => totals.fleet_id),
    days.map((totals) => totals.driver_id),
    days.map((totals) => dateOfDay(totals.period_start)),
    days.map((totals) => dateOfDay(totals.day)),
  ]);
}

/**
 * One row per driver and day driven: the totals of its week from Monday through that day, as JSON. So the running week up
 * to yesterday is one row read, as a closed week is, and no row changes because midnight passes.
 */
export const weeklyRollups: Projection = {
  name: 'weekly_rollups',
  // A new score leads to other rows.
  version: SCORE_VERSION,
  createTable: (table) => `
    CREATE TABLE ${table} (
      start_date date NOT NULL,
      through_date date NOT NULL,
      fleet_id text COLLATE "C" NOT NULL,
      driver_id text COLLATE "C" NOT NULL,
      totals text NOT NULL
    );`,
  createIndexes: (table) => `ALTER TABLE ${table} ADD PRIMARY KEY (fleet_id, driver_id, start_date, through_date);`,
  async apply(transaction, range, table) {
    const weeks = await readTouchedPeriods(transaction, WEEK, range);
    if (weeks.length === 0) return;
    const days = weeks.flatMap((week) => week.totals);
    await transaction.execute(deleteEmptyDays(table), [
      weeks.map((week) => week.fleet_id),
      weeks.map((week) => week.driver_id),
      weeks.map((week) => dateOfDay(week.period_start)),
      weeks.map((week) => dateOfDay(week.first_changed_day)),
      days.map((totals) => totals.fleet_id),
      days.map((totals) => totals.driver_id),
      days.map((totals) => dateOfDay(totals.day)),
    ]);
    await write(transaction, days, upsertDays(table));
  },
  fill: rollupFill(WEEK, async (transaction, days, table) => await write(transaction, days, insertDays(table))),
  erase: eraseFigures,
  rows: (table) => `
    SELECT through_date AS day, concat_ws('/', fleet_id, driver_id) AS key, totals AS value FROM ${table}`,
  // Of a week's rows the last one is the week's, as far as it was driven.
  describeChanges: describeScoreChanges({
    period: 'week',
    scores: (table) => `
      SELECT DISTINCT ON (fleet_id, driver_id, start_date) fleet_id, driver_id, start_date AS date, totals AS figures
      FROM ${table} ORDER BY fleet_id, driver_id, start_date, through_date DESC`,
  }),
};
