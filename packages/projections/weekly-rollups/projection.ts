import { SCORE_VERSION } from '@milepost/domain/score';
import type { Statement, Transaction } from '@milepost/postgres';
import fastJson from 'fast-json-stringify';
import type { Projection } from '../engine/index.ts';
import { eraseFigures } from '../log/erase-rows.ts';
import { packTexts, unpackedText } from '../log/packed-texts.ts';
import { WeekTotals } from '../resources/index.ts';
import { dateOfDay, mondayOfDay } from '../rollups/calendar-date.ts';
import { toDrivingFigures } from '../rollups/driving-figures.ts';
import { runningSumsOfSums } from '../rollups/exact-sums.ts';
import { rollupFill } from '../rollups/fill.ts';
import { describeScoreChanges } from '../rollups/score-changes.ts';
import { deleteEmptyDays, readTouchedDays } from '../rollups/touched-days.ts';
import { type DrivenWeek, readDrivenWeeks } from './driven-weeks.ts';

const DAYS_OF_WEEK = 7;
/** Rises with the columns of the table. */
const TABLE_VERSION = 1;

const WEEK_OF_DAY = mondayOfDay('day');
const WEEK_SO_FAR = `(PARTITION BY fleet_id, driver_id, ${WEEK_OF_DAY} ORDER BY day)`;
const FILLED_COLUMNS = `${WEEK_OF_DAY} AS week_start, ${runningSumsOfSums(WEEK_SO_FAR)} AS sums`;

const renderTotals = fastJson(WeekTotals);

function render({ week_start, sums }: DrivenWeek): string {
  return renderTotals({
    ...toDrivingFigures(sums),
    start_date: dateOfDay(week_start),
    end_date: dateOfDay(week_start + DAYS_OF_WEEK - 1),
  });
}

function deleteDays(table: string): Statement {
  return {
    name: `weekly_rollups:delete:${table}`,
    text: `DELETE FROM ${table} rollup USING unnest($1::text[], $2::text[], $3::date[]) AS empty (fleet_id, driver_id, date)
           WHERE rollup.fleet_id = empty.fleet_id AND rollup.driver_id = empty.driver_id
             AND rollup.start_date = date_trunc('week', empty.date)::date AND rollup.through_date = empty.date`,
  };
}

function insertWeeks(table: string): Statement {
  return {
    name: `weekly_rollups:insert:${table}`,
    text: `INSERT INTO ${table} AS rollup (fleet_id, driver_id, start_date, through_date, sums, totals)
           SELECT fleet_id, driver_id, start_date, through_date, sums, ${unpackedText('$1')}
           FROM unnest($2::integer[], $3::integer[], $4::text[], $5::text[], $6::date[], $7::date[], $8::text[])
             AS week (start, length, fleet_id, driver_id, start_date, through_date, sums)`,
  };
}

/** A row that is the same is left alone: writing it again would only bloat the table. */
function upsertWeeks(table: string): Statement {
  return {
    name: `weekly_rollups:upsert:${table}`,
    text: `${insertWeeks(table).text}
           ON CONFLICT (fleet_id, driver_id, start_date, through_date)
           DO UPDATE SET totals = excluded.totals, sums = excluded.sums
           WHERE rollup.totals <> excluded.totals OR rollup.sums <> excluded.sums`,
  };
}

async function write(transaction: Transaction, weeks: readonly DrivenWeek[], statement: Statement): Promise<void> {
  if (weeks.length === 0) return;
  const { bytes, starts, lengths } = packTexts(weeks.map(render));
  await transaction.execute(statement, [
    bytes,
    starts,
    lengths,
    weeks.map(({ fleet_id }) => fleet_id),
    weeks.map(({ driver_id }) => driver_id),
    weeks.map(({ week_start }) => dateOfDay(week_start)),
    weeks.map(({ day }) => dateOfDay(day)),
    weeks.map(({ sums }) => sums),
  ]);
}

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
  createIndexes: (table) => `ALTER TABLE ${table} ADD PRIMARY KEY (fleet_id, driver_id, start_date, through_date);`,
  async apply(transaction, range, table) {
    const days = await readTouchedDays(transaction, range);
    // Before the weeks are read: what is left in the table counts.
    await deleteEmptyDays(transaction, days, deleteDays(table));
    await write(transaction, await readDrivenWeeks(transaction, days, table, range.through), upsertWeeks(table));
  },
  fill: rollupFill<DrivenWeek>(FILLED_COLUMNS, async (transaction, weeks, table) => {
    await write(transaction, weeks, insertWeeks(table));
  }),
  erase: eraseFigures,
  rows: (table) => `
    SELECT through_date AS day, concat_ws('/', fleet_id, driver_id) AS key,
      concat_ws('|', sums, totals) AS value FROM ${table}`,
  // Of a week's rows the last one is the week's, as far as it was driven.
  describeChanges: describeScoreChanges({
    period: 'week',
    scores: (table) => `
      SELECT DISTINCT ON (fleet_id, driver_id, start_date) fleet_id, driver_id, start_date AS date, totals AS figures
      FROM ${table} ORDER BY fleet_id, driver_id, start_date, through_date DESC`,
  }),
};
