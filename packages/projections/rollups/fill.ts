import { dayOfTime, mondayOfDayNumber } from '@milepost/domain/calendar';
import { SUMMED_FIELDS } from '@milepost/domain/vocabulary';
import { number, type Transaction, tableStatement, text } from '@milepost/postgres';
import { byPosition, type Chunk, type Fill, type FillStage } from '../engine/index.ts';
import { COUNTED_TRIPS_OF_CHUNK } from '../log/range.ts';
import { dailyRows } from './daily-rows.ts';
import { runningSumsOfSums, SUMS_OF_SUMS } from './sums.ts';
import { DRIVEN_WEEK, weeklyRows } from './weekly-rows.ts';

/** Positions summed in one chunk: the more, the fewer rows a driver's day is spread over. */
const CHUNK_POSITIONS = 20_000;
/** Partial sums finished in one chunk. */
const CHUNK_SUMS = 4_000;

const WEEK_START = mondayOfDayNumber('day');

const sumsOf = (table: string) => `${table}_sums`;

/** Sums of numeric are exact, so sums of partial sums are the sums. Drivers' days end up in as many rows as chunks saw them. */
const sumTrips = tableStatement('rollups:sum')`
  INSERT INTO ${sumsOf}
  SELECT fleet_id, driver_id, ${dayOfTime('trip_start_time')} AS day, count(*),
    ${SUMMED_FIELDS.map((field) => `sum(${field})`).join(', ')}
  FROM ${COUNTED_TRIPS_OF_CHUNK} GROUP BY fleet_id, driver_id, day`;

/** Cuts the drivers, in their order, into runs of about as many partial sums each. */
const planDrivers = tableStatement('rollups:plan-drivers', { fleet_id: text, driver_id: text, events: number })`
  WITH driver AS (
    SELECT fleet_id, driver_id, count(*) AS sums, sum(trip_count) AS events
    FROM ${sumsOf} GROUP BY fleet_id, driver_id
  ), numbered AS (
    SELECT *, ((sum(sums) OVER (ORDER BY fleet_id, driver_id) - sums) / ${CHUNK_SUMS})::bigint AS chunk FROM driver)
  SELECT last_fleet_id AS fleet_id, last_driver_id AS driver_id, events FROM (
    SELECT chunk, (array_agg(fleet_id ORDER BY fleet_id DESC, driver_id DESC))[1] AS last_fleet_id,
      (array_agg(driver_id ORDER BY fleet_id DESC, driver_id DESC))[1] AS last_driver_id, sum(events) AS events
    FROM numbered GROUP BY chunk) run ORDER BY chunk`;

async function planByDriver(transaction: Transaction, table: string): Promise<Chunk[]> {
  const sums = sumsOf(table);
  // Of the sums themselves no plan depends on anything, and looking at them takes longer than building the index.
  await transaction.run(
    `CREATE INDEX ON ${sums} (fleet_id, driver_id, day); ANALYZE ${sums} (fleet_id, driver_id, day)`,
  );
  const rows = await transaction.rows(planDrivers(table));
  const boundaries = rows.map((row) => [row.fleet_id, row.driver_id]);
  return rows.map((row, index) => ({
    // No fleet has an empty id, so the first run begins before all drivers.
    after: boundaries[index - 1] ?? ['', ''],
    through: [row.fleet_id, row.driver_id],
    events: row.events,
  }));
}

/**
 * Days of drivers as they are filled: the sums of each day, and of its week through it. One window sums the weeks while the
 * days are read, so that both rollups read the partial sums once.
 */
const readDays = tableStatement('rollups:read-days', { ...DRIVEN_WEEK, week_sums: text })`
  SELECT fleet_id, driver_id, day, ${SUMS_OF_SUMS} AS sums, ${WEEK_START} AS week_start,
    ${runningSumsOfSums(`(PARTITION BY fleet_id, driver_id, ${WEEK_START} ORDER BY day)`)} AS week_sums
  FROM ${sumsOf} WHERE (fleet_id, driver_id) > ($1, $2) AND (fleet_id, driver_id) <= ($3, $4)
  GROUP BY fleet_id, driver_id, day ORDER BY fleet_id, driver_id, day`;
const finish: FillStage = {
  byPosition: false,
  plan: async (transaction, { table }) => await planByDriver(transaction, table),
  async run(transaction, { after, through }, { table, tables }) {
    const days = await transaction.rows(readDays(table), [...after, ...through]);
    const [daily, weekly] = [tables.get('daily_rollups'), tables.get('weekly_rollups')];
    const weeks = days.map(({ week_sums, ...day }) => ({ ...day, sums: week_sums }));
    // The server inserts the one's rows while the other's are rendered.
    await Promise.all([
      daily && dailyRows.insert(transaction, daily, days),
      weekly && weeklyRows.insert(transaction, weekly, weeks),
    ]);
  },
};

/**
 * Fills one rollup or both in two passes: the log's trips in order of position, which is the order in which they lie on
 * disk, into partial sums per driver and day; then those, a fifth of the rows or fewer, driver by driver into finished rows.
 */
export const rollupsFill: Fill = {
  scratch: (table) => [
    {
      name: sumsOf(table),
      columns: `fleet_id text COLLATE "C" NOT NULL, driver_id text COLLATE "C" NOT NULL, day bigint NOT NULL,
        trip_count bigint NOT NULL, ${SUMMED_FIELDS.map((field) => `${field} numeric NOT NULL`).join(', ')}`,
    },
  ],
  stages: [
    byPosition(CHUNK_POSITIONS, async (transaction, { after, through }, { table, asOf, cutoff }) => {
      // Left to choose, the planner sorts the trips by their driver, which takes as long as summing them does.
      await transaction.run('SET LOCAL enable_sort = off');
      await transaction.execute(sumTrips(table), [after, through, asOf, cutoff]);
    }),
    finish,
  ],
};
