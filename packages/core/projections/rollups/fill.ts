import { SUMMED_FIELDS } from '@milepost/domain/vocabulary';
import type { Transaction } from '@milepost/postgres';
import { dayOfTime, mondayOfDayNumber } from '@milepost/postgres/calendar';
import { tableStatement } from '@milepost/postgres/table-statement';
import { byPosition, type Chunk, type Fill, type FillStage } from '../engine/index.ts';
import { COUNTED_TRIPS_OF_CHUNK } from '../log/range.ts';
import { DRIVEN_WEEK, dailyRows, weeklyRows } from './days.ts';
import { runningSumsOfSums, SUMS_OF_SUMS } from './sums.ts';

/** The number of positions that one chunk sums. The larger the chunks, the fewer partial sums a driver's day has. */
const CHUNK_POSITIONS = 20_000;
/** The default number of partial sums that one chunk converts into finished rows. */
const DEFAULT_CHUNK_SUMS = 4_000;

const WEEK_START = mondayOfDayNumber('day');

const sumsOf = (table: string) => `${table}_sums`;

/**
 * Each chunk adds one row for each of its drivers' days. The partial sums add up exactly, because sums of numeric
 * values are exact.
 */
const sumTrips = tableStatement('rollups:sum')`
  WITH summed AS (
    SELECT fleet_id, driver_id, ${dayOfTime('trip_start_time')} AS day, count(*),
      ${SUMMED_FIELDS.map((field) => `sum(${field}) AS ${field}`).join(', ')}
    FROM ${COUNTED_TRIPS_OF_CHUNK} GROUP BY fleet_id, driver_id, day)
  INSERT INTO ${sumsOf} SELECT * FROM summed`;

/** Divides the drivers, in order, into ranges of about `$1` partial sums each. */
const planDrivers = tableStatement('rollups:plan-drivers', { fleet_id: 'text', driver_id: 'text', events: 'number' })`
  WITH driver AS (
    SELECT fleet_id, driver_id, count(*) AS sums, sum(trip_count) AS events
    FROM ${sumsOf} GROUP BY fleet_id, driver_id
  ), numbered AS (
    SELECT *, ((sum(sums) OVER (ORDER BY fleet_id, driver_id) - sums) / $1::bigint)::bigint AS chunk FROM driver)
  SELECT last_fleet_id AS fleet_id, last_driver_id AS driver_id, events FROM (
    SELECT chunk, (array_agg(fleet_id ORDER BY fleet_id DESC, driver_id DESC))[1] AS last_fleet_id,
      (array_agg(driver_id ORDER BY fleet_id DESC, driver_id DESC))[1] AS last_driver_id, sum(events) AS events
    FROM numbered GROUP BY chunk) run ORDER BY chunk`;

async function planByDriver(transaction: Transaction, table: string, chunkSums: number): Promise<Chunk[]> {
  const sums = sumsOf(table);
  // No plan depends on statistics about the other columns, and collecting them takes longer than building the index.
  await transaction.runEach(
    `CREATE INDEX ON ${sums} (fleet_id, driver_id, day); ANALYZE ${sums} (fleet_id, driver_id, day)`,
  );
  const rows = await transaction.rows(planDrivers(table), [chunkSums]);
  const boundaries = rows.map((row) => [row.fleet_id, row.driver_id]);
  return rows.map((row, index) => ({
    // No fleet has an empty id, so the first range begins before all drivers.
    after: boundaries[index - 1] ?? ['', ''],
    through: [row.fleet_id, row.driver_id],
    events: row.events,
  }));
}

/**
 * Reads drivers' days for the fill, with each day's sums and its week-to-date sums. A window function sums the weeks
 * while the days are read. The partial sums are therefore read only once for both rollups.
 */
const readDays = tableStatement('rollups:read-days', { ...DRIVEN_WEEK, week_sums: 'text' })`
  SELECT fleet_id, driver_id, day, ${SUMS_OF_SUMS} AS sums, ${WEEK_START} AS week_start,
    ${runningSumsOfSums(`(PARTITION BY fleet_id, driver_id, ${WEEK_START} ORDER BY day)`)} AS week_sums
  FROM ${sumsOf} WHERE (fleet_id, driver_id) > ($1, $2) AND (fleet_id, driver_id) <= ($3, $4)
  GROUP BY fleet_id, driver_id, day ORDER BY fleet_id, driver_id, day`;

const finish = (chunkSums: number): FillStage => ({
  byPosition: false,
  plan: async (transaction, { table }) => await planByDriver(transaction, table, chunkSums),
  async run(transaction, { after, through }, { table, tables }) {
    const days = await transaction.rows(readDays(table), [...after, ...through]);
    const [daily, weekly] = [tables.get('daily_rollups'), tables.get('weekly_rollups')];
    const weeks = days.map(({ week_sums, ...day }) => ({ ...day, sums: week_sums }));
    // While the server inserts the rows of one rollup, this process renders the other rollup's rows.
    await Promise.all([
      daily && dailyRows.insert(transaction, daily, days),
      weekly && weeklyRows.insert(transaction, weekly, weeks),
    ]);
  },
});

/**
 * Fills one or both rollups in two passes. The first pass adds up the log's trips into partial sums per driver and day,
 * in order of position, which is the order on disk. The second pass converts the partial sums (at most a fifth as many
 * as there are trips) into finished rows, driver by driver.
 *
 * @param chunkSums the approximate number of partial sums that a chunk converts
 *
 * Exported for tests.
 */
export const fillRollups = (chunkSums: number): Fill => ({
  scratch: (table) => [
    {
      name: sumsOf(table),
      columns: `fleet_id text COLLATE "C" NOT NULL, driver_id text COLLATE "C" NOT NULL, day bigint NOT NULL,
        trip_count bigint NOT NULL, ${SUMMED_FIELDS.map((field) => `${field} numeric NOT NULL`).join(', ')}`,
    },
  ],
  stages: [
    byPosition(CHUNK_POSITIONS, async (transaction, { after, through }, { table, asOf, cutoff }) => {
      // Otherwise the planner sorts the trips by driver, which takes as long as summing them.
      await transaction.run('SET LOCAL enable_sort = off');
      await transaction.execute(sumTrips(table), [after, through, asOf, cutoff]);
    }),
    finish(chunkSums),
  ],
});

/** Both rollups have this same object as their `fill`, so that a replay fills them together. */
export const rollupsFill = fillRollups(DEFAULT_CHUNK_SUMS);
