import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import type { Statement, Transaction } from '@milepost/postgres';
import { byPosition, type Fill, type FillStage } from '../engine/index.ts';
import type { DriverRow } from './driver-row.ts';
import { profileAsOf } from './profile.ts';

const PART_POSITIONS = 20_000;
const PART_DRIVERS = 4_000;

const seenOf = (table: string) => `${table}_seen`;
const numberedOf = (table: string) => `${table}_numbered`;

/** Where each driver is first named in the part, and when it first and last drove there. */
function see(table: string): Statement {
  const day = `event.trip_start_time / ${MILLISECONDS_PER_DAY}`;
  const current = 'event.kind = 1 AND successor.position IS NULL';
  return {
    name: `drivers:see:${table}`,
    text: `INSERT INTO ${seenOf(table)}
           SELECT event.fleet_id, event.driver_id, min(event.position),
             min(${day}) FILTER (WHERE ${current}), max(${day}) FILTER (WHERE ${current})
           FROM log.stored_event event
           LEFT JOIN log.stored_event successor ON successor.supersedes = event.position AND successor.position <= $3
           WHERE event.position > $1 AND event.position <= $2 AND event.effective AND event.kind IN (1, 3)
           GROUP BY event.fleet_id, event.driver_id`,
  };
}

/** A driver's ordinal follows from all drivers of its fleet, so all are numbered at once. */
function number(table: string): string {
  return `INSERT INTO ${numberedOf(table)}
          SELECT fleet_id, driver_id, row_number() OVER (PARTITION BY fleet_id ORDER BY min(first_position)),
            min(first_travel_day), max(last_travel_day)
          FROM ${seenOf(table)} GROUP BY fleet_id, driver_id;
          CREATE UNIQUE INDEX ON ${numberedOf(table)} (fleet_id, ordinal);
          ANALYZE ${numberedOf(table)}`;
}

function planRuns(table: string): Statement {
  return {
    name: `drivers:plan:${table}`,
    text: `SELECT fleet_id, (ordinal - 1) / ${PART_DRIVERS} AS part, max(ordinal) AS last, count(*) AS events
           FROM ${numberedOf(table)} GROUP BY fleet_id, part ORDER BY fleet_id, part`,
  };
}

function readNumbered(table: string): Statement {
  return {
    name: `drivers:read-numbered:${table}`,
    text: `SELECT driver.fleet_id, driver.driver_id, profile.first_name, profile.last_name, profile.email, profile.alias,
             driver.first_travel_day, driver.last_travel_day, driver.ordinal
           FROM ${numberedOf(table)} driver LEFT JOIN LATERAL (${profileAsOf('driver', '$4')}) profile ON true
           WHERE driver.fleet_id = $1 AND driver.ordinal > $2::bigint AND driver.ordinal <= $3::bigint`,
  };
}

/**
 * Fills the drivers' table in two passes: who is named in the log and where first; then, numbered, driver by driver.
 *
 * @param insert adds finished rows to the table, which has no index yet
 */
export function driversFill(
  insert: (transaction: Transaction, rows: readonly DriverRow[], table: string) => Promise<void>,
): Fill {
  const finish: FillStage = {
    byPosition: false,
    async plan(transaction, { table }) {
      await transaction.run(number(table));
      const runs = await transaction.rows<{ fleet_id: string; part: number; last: number; events: number }>(
        planRuns(table),
      );
      return runs.map(({ fleet_id, part, last, events }) => ({
        after: [fleet_id, String(part * PART_DRIVERS)],
        through: [fleet_id, String(last)],
        events,
      }));
    },
    async run(transaction, { after, through }, { table, asOf }) {
      const values = [through[0], after[1], through[1], asOf];
      await insert(transaction, await transaction.rows<DriverRow>(readNumbered(table), values), table);
    },
  };
  const driver = 'fleet_id text COLLATE "C" NOT NULL, driver_id text COLLATE "C" NOT NULL';
  const travelDays = 'first_travel_day bigint, last_travel_day bigint';
  return {
    scratch: (table) => [
      { name: seenOf(table), columns: `${driver}, first_position bigint NOT NULL, ${travelDays}` },
      { name: numberedOf(table), columns: `${driver}, ordinal bigint NOT NULL, ${travelDays}` },
    ],
    stages: [
      byPosition(PART_POSITIONS, async (transaction, { after, through }, { table, asOf }) => {
        await transaction.execute(see(table), [after, through, asOf]);
      }),
      finish,
    ],
  };
}
