import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import type { Statement, Transaction } from '@milepost/postgres';
import { byPosition, type Fill, type FillStage, type Part } from '../engine/index.ts';
import { COUNTED_TRIPS_OF_PART } from '../log/range.ts';
import { FIGURES } from './exact-sums.ts';

/** Positions summed in one part: the more, the fewer rows a driver's day is spread over. */
const PART_POSITIONS = 20_000;
/** Partial sums finished in one part. */
const PART_SUMS = 4_000;

const sumsOf = (table: string) => `${table}_sums`;

/** Sums of numeric are exact, so sums of partial sums are the sums. Drivers' days end up in as many rows as parts saw them. */
function sumTrips(table: string): Statement {
  return {
    name: `rollups:sum:${table}`,
    text: `INSERT INTO ${sumsOf(table)}
           SELECT fleet_id, driver_id, trip_start_time / ${MILLISECONDS_PER_DAY} AS day, count(*),
             ${FIGURES.map((figure) => `sum(${figure})`).join(', ')}
           FROM ${COUNTED_TRIPS_OF_PART} GROUP BY fleet_id, driver_id, day`,
  };
}

/** Cuts the drivers, in their order, into runs of about as many partial sums each. */
function planDrivers(table: string): Statement {
  return {
    name: `rollups:plan-drivers:${table}`,
    text: `WITH driver AS (
             SELECT fleet_id, driver_id, count(*) AS sums, sum(trip_count) AS events
             FROM ${sumsOf(table)} GROUP BY fleet_id, driver_id
           ), numbered AS (
             SELECT *, ((sum(sums) OVER (ORDER BY fleet_id, driver_id) - sums) / ${PART_SUMS})::bigint AS part FROM driver)
           SELECT last_fleet_id AS fleet_id, last_driver_id AS driver_id, events FROM (
             SELECT part, (array_agg(fleet_id ORDER BY fleet_id DESC, driver_id DESC))[1] AS last_fleet_id,
               (array_agg(driver_id ORDER BY fleet_id DESC, driver_id DESC))[1] AS last_driver_id, sum(events) AS events
             FROM numbered GROUP BY part) run ORDER BY part`,
  };
}

function readDays(table: string, columns: string): Statement {
  return {
    name: `rollups:read-sums:${table}`,
    text: `SELECT fleet_id, driver_id, day, ${columns}
           FROM ${sumsOf(table)} WHERE (fleet_id, driver_id) > ($1, $2) AND (fleet_id, driver_id) <= ($3, $4)
           GROUP BY fleet_id, driver_id, day ORDER BY fleet_id, driver_id, day`,
  };
}

async function planByDriver(transaction: Transaction, table: string): Promise<Part[]> {
  const sums = sumsOf(table);
  await transaction.run(`CREATE INDEX ON ${sums} (fleet_id, driver_id, day); ANALYZE ${sums}`);
  const rows = await transaction.rows<{ fleet_id: string; driver_id: string; events: number }>(planDrivers(table));
  const boundaries = rows.map((row) => [row.fleet_id, row.driver_id]);
  return rows.map((row, index) => ({
    // No fleet has an empty id, so the first run begins before all drivers.
    after: boundaries[index - 1] ?? ['', ''],
    through: [row.fleet_id, row.driver_id],
    events: row.events,
  }));
}

/**
 * Fills a rollup in two passes: the log's trips in order of position, which is the order in which they lie on disk, into
 * partial sums per driver and day; then those, a fifth of the rows or fewer, driver by driver into finished rows.
 *
 * @param columns SQL of what a `Day` has beside driver and day, over the partial sums of that driver's day
 * @param insert adds finished rows to the table, which has no index yet
 */
export function rollupFill<Day extends object>(
  columns: string,
  insert: (transaction: Transaction, days: readonly Day[], table: string) => Promise<void>,
): Fill {
  const finish: FillStage = {
    byPosition: false,
    plan: async (transaction, { table }) => await planByDriver(transaction, table),
    async run(transaction, { after, through }, { table }) {
      const days = await transaction.rows<Day>(readDays(table, columns), [...after, ...through]);
      await insert(transaction, days, table);
    },
  };
  return {
    scratch: (table) => [
      {
        name: sumsOf(table),
        columns: `fleet_id text COLLATE "C" NOT NULL, driver_id text COLLATE "C" NOT NULL, day bigint NOT NULL,
          trip_count bigint NOT NULL, ${FIGURES.map((figure) => `${figure} numeric NOT NULL`).join(', ')}`,
      },
    ],
    stages: [
      byPosition(PART_POSITIONS, async (transaction, { after, through }, { table, asOf, horizon }) => {
        // Left to choose, the planner sorts the trips by their driver, which takes as long as summing them does.
        await transaction.run('SET LOCAL enable_sort = off');
        await transaction.execute(sumTrips(table), [after, through, asOf, horizon]);
      }),
      finish,
    ],
  };
}
