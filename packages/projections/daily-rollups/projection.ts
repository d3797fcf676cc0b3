import { SCORE_VERSION } from '@milepost/domain/score';
import type { Statement, Transaction } from '@milepost/postgres';
import fastJson from 'fast-json-stringify';
import type { Projection } from '../engine/index.ts';
import { eraseFigures } from '../log/erase-rows.ts';
import { packTexts, unpackedText } from '../log/packed-texts.ts';
import { DailySummary } from '../resources/index.ts';
import { dateOfDay } from '../rollups/calendar-date.ts';
import { toDrivingFigures } from '../rollups/driving-figures.ts';
import { SUMS_OF_SUMS } from '../rollups/exact-sums.ts';
import { rollupFill } from '../rollups/fill.ts';
import { describeScoreChanges } from '../rollups/score-changes.ts';
import { type DrivenDay, deleteEmptyDays, isDriven, readTouchedDays } from '../rollups/touched-days.ts';

const renderSummary = fastJson(DailySummary);

function deleteDays(table: string): Statement {
  return {
    name: `daily_rollups:delete:${table}`,
    text: `DELETE FROM ${table} rollup USING unnest($1::text[], $2::text[], $3::date[]) AS empty (fleet_id, driver_id, date)
           WHERE rollup.fleet_id = empty.fleet_id AND rollup.driver_id = empty.driver_id AND rollup.date = empty.date`,
  };
}

function insertDays(table: string): Statement {
  return {
    name: `daily_rollups:insert:${table}`,
    text: `INSERT INTO ${table} AS rollup (fleet_id, driver_id, date, summary)
           SELECT fleet_id, driver_id, date, ${unpackedText('$1')}
           FROM unnest($2::integer[], $3::integer[], $4::text[], $5::text[], $6::date[]) AS day (start, length, fleet_id, driver_id, date)`,
  };
}

/** A day whose figures are the same is left alone: writing it again would only bloat the table. */
function upsertDays(table: string): Statement {
  return {
    name: `daily_rollups:upsert:${table}`,
    text: `${insertDays(table).text}
           ON CONFLICT (fleet_id, driver_id, date) DO UPDATE SET summary = excluded.summary
           WHERE rollup.summary <> excluded.summary`,
  };
}

async function write(transaction: Transaction, days: readonly DrivenDay[], statement: Statement): Promise<void> {
  if (days.length === 0) return;
  const { bytes, starts, lengths } = packTexts(
    days.map(({ day, sums }) => renderSummary({ ...toDrivingFigures(sums), date: dateOfDay(day) })),
  );
  await transaction.execute(statement, [
    bytes,
    starts,
    lengths,
    days.map(({ fleet_id }) => fleet_id),
    days.map(({ driver_id }) => driver_id),
    days.map(({ day }) => dateOfDay(day)),
  ]);
}

/** One row per driver and UTC day driven: the day's summary as JSON, as the daily endpoint serves it. */
export const dailyRollups: Projection = {
  name: 'daily_rollups',
  // A new score leads to other rows.
  version: SCORE_VERSION,
  createTable: (table) => `
    CREATE TABLE ${table} (
      date date NOT NULL,
      fleet_id text COLLATE "C" NOT NULL,
      driver_id text COLLATE "C" NOT NULL,
      summary text NOT NULL
    );`,
  createIndexes: (table) => `ALTER TABLE ${table} ADD PRIMARY KEY (fleet_id, driver_id, date);`,
  async apply(transaction, range, table) {
    const days = await readTouchedDays(transaction, range);
    await deleteEmptyDays(transaction, days, deleteDays(table));
    await write(transaction, days.filter(isDriven), upsertDays(table));
  },
  fill: rollupFill<DrivenDay>(`${SUMS_OF_SUMS} AS sums`, async (transaction, days, table) => {
    await write(transaction, days, insertDays(table));
  }),
  erase: eraseFigures,
  rows: (table) => `SELECT date AS day, concat_ws('/', fleet_id, driver_id) AS key, summary AS value FROM ${table}`,
  describeChanges: describeScoreChanges({
    period: 'day',
    scores: (table) => `SELECT fleet_id, driver_id, date, summary AS figures FROM ${table}`,
  }),
};
