import { TRIP_PROCESSED } from '@milepost/domain/vocabulary';
import { dayOfTime } from '@milepost/postgres/calendar';
import { tableStatement } from '@milepost/postgres/table-statement';
import { byPosition, type Fill, type FillStage } from '../engine/index.ts';
import { isNotSetAside, NAMES_DRIVER } from '../log/range.ts';
import { DRIVER, driverRows, profileAsOf } from './driver-row.ts';

const CHUNK_POSITIONS = 20_000;
const CHUNK_DRIVERS = 4_000;

const seenTable = (table: string) => `${table}_seen`;
const numberedOf = (table: string) => `${table}_numbered`;

const DAY = dayOfTime('event.trip_start_time');
const IS_CURRENT = `event.kind = ${TRIP_PROCESSED} AND successor.position IS NULL AND ${isNotSetAside('event')}`;

/**
 * Stores, for each driver in the chunk, the first position that names the driver, and the first and last day of travel.
 */
const insertSeen = tableStatement('drivers:see')`
  WITH seen AS (
    SELECT event.fleet_id, event.driver_id, min(event.position),
      min(${DAY}) FILTER (WHERE ${IS_CURRENT}) AS first_day, max(${DAY}) FILTER (WHERE ${IS_CURRENT}) AS last_day
    FROM stored_event event
    LEFT JOIN stored_event successor ON successor.supersedes = event.position AND successor.position <= $3
    WHERE event.position > $1 AND event.position <= $2 AND event.effective AND event.${NAMES_DRIVER}
    GROUP BY event.fleet_id, event.driver_id)
  INSERT INTO ${seenTable} SELECT * FROM seen`;

/** One statement numbers all drivers, because a driver's ordinal depends on all other drivers in the fleet. */
function numberDrivers(table: string): string {
  return `WITH numbered AS (
            SELECT fleet_id, driver_id, row_number() OVER (PARTITION BY fleet_id ORDER BY min(first_position)),
              min(first_travel_day) AS first_day, max(last_travel_day) AS last_day
            FROM ${seenTable(table)} GROUP BY fleet_id, driver_id)
          INSERT INTO ${numberedOf(table)} SELECT * FROM numbered;
          CREATE UNIQUE INDEX ON ${numberedOf(table)} (fleet_id, ordinal);
          ANALYZE ${numberedOf(table)}`;
}

const planRuns = tableStatement('drivers:plan', {
  fleet_id: 'text',
  chunk: 'number',
  last: 'number',
  events: 'number',
})`
  SELECT fleet_id, (ordinal - 1) / ${CHUNK_DRIVERS} AS chunk, max(ordinal) AS last, count(*) AS events
  FROM ${numberedOf} GROUP BY fleet_id, chunk ORDER BY fleet_id, chunk`;

const readNumbered = tableStatement('drivers:read-numbered', DRIVER)`
  SELECT driver.fleet_id, driver.driver_id, profile.first_name, profile.last_name, profile.email, profile.alias,
    driver.first_travel_day, driver.last_travel_day, driver.ordinal
  FROM ${numberedOf} driver LEFT JOIN LATERAL (${profileAsOf('driver', '$4')}) profile ON ${isNotSetAside('profile')}
  WHERE driver.fleet_id = $1 AND driver.ordinal > $2::bigint AND driver.ordinal <= $3::bigint`;

const finish: FillStage = {
  byPosition: false,
  async plan(transaction, { table }) {
    await transaction.runEach(numberDrivers(table));
    const runs = await transaction.rows(planRuns(table));
    return runs.map(({ fleet_id, chunk, last, events }) => ({
      after: [fleet_id, String(chunk * CHUNK_DRIVERS)],
      through: [fleet_id, String(last)],
      events,
    }));
  },
  async run(transaction, { after, through }, { table, asOf }) {
    const values = [through[0], after[1], through[1], asOf];
    // The table has no index yet.
    await driverRows.insert(transaction, table, await transaction.rows(readNumbered(table), values));
  },
};

const IDS = 'fleet_id text COLLATE "C" NOT NULL, driver_id text COLLATE "C" NOT NULL';
const TRAVEL_DAYS = 'first_travel_day bigint, last_travel_day bigint';

/**
 * Fills the drivers' table in two passes. The first pass finds all drivers and the position at which each first appears
 * in the log. The second pass inserts the numbered drivers in order.
 */
export const driversFill: Fill = {
  scratch: (table) => [
    { name: seenTable(table), columns: `${IDS}, first_position bigint NOT NULL, ${TRAVEL_DAYS}` },
    { name: numberedOf(table), columns: `${IDS}, ordinal bigint NOT NULL, ${TRAVEL_DAYS}` },
  ],
  stages: [
    byPosition(CHUNK_POSITIONS, async (transaction, { after, through }, { table, asOf }) => {
      await transaction.execute(insertSeen(table), [after, through, asOf]);
    }),
    finish,
  ],
};
