import type { Statement } from '@milepost/postgres';
import { byPosition, type Projection } from '../engine/index.ts';
import { DAY_OF_START } from '../rollups/calendar-date.ts';
import { deleteTripsOfDriver } from './erase-rows.ts';
import { NEW_TRIPS, SUPERSEDED_TRIPS, TRIPS_OF_PART } from './range.ts';
import { supersedesTrips } from './superseded.ts';

/** A part of a replay's work: some megabytes of trails. */
const PART_POSITIONS = 4_000;

interface BodyProjectionOptions {
  name: string;
  version: number;
  /** The column of `log.trip_body` that is copied, where it is not null. */
  column: { name: string; type: string };
}

function deleteSuperseded(name: string, table: string): Statement {
  return {
    name: `${name}:delete-superseded:${table}`,
    text: `DELETE FROM ${table} body USING (SELECT old.* FROM ${SUPERSEDED_TRIPS}) old
           WHERE body.fleet_id = old.fleet_id AND body.driver_id = old.driver_id AND body.trip_id = old.trip_id`,
  };
}

/** Copies what the trips that `source` lists have in the column; the parameters are the source's. */
function insertFrom(label: string, column: string, table: string, source: string): Statement {
  return {
    name: `${label}:${table}`,
    text: `INSERT INTO ${table} (fleet_id, driver_id, trip_id, trip_date, ${column})
           SELECT event.fleet_id, event.driver_id, event.trip_id, ${DAY_OF_START}, body.${column}
           FROM (SELECT event.* FROM ${source}) event JOIN log.trip_body body USING (position)
           WHERE body.position > $1 AND body.position <= $2 AND body.${column} IS NOT NULL`,
  };
}

/** A projection that copies one column of the trips' bodies, never leaving the server. */
export function bodyProjection({ name, version, column }: BodyProjectionOptions): Projection {
  return {
    name,
    version,
    createTable: (table) => `
      CREATE TABLE ${table} (
        trip_id uuid NOT NULL,
        trip_date date NOT NULL,
        fleet_id text COLLATE "C" NOT NULL,
        driver_id text COLLATE "C" NOT NULL,
        ${column.name} ${column.type} NOT NULL
      );`,
    createIndexes: (table) => `ALTER TABLE ${table} ADD PRIMARY KEY (trip_id);`,
    async apply(transaction, range, table) {
      const { after, through } = range;
      if (await supersedesTrips(transaction, range)) {
        await transaction.execute(deleteSuperseded(name, table), [after, through]);
      }
      const insert = insertFrom(`${name}:insert`, column.name, table, NEW_TRIPS);
      await transaction.execute(insert, [after, through]);
    },
    fill: {
      scratch: () => [],
      stages: [
        byPosition(PART_POSITIONS, async (transaction, { after, through }, { table, asOf, horizon }) => {
          const insert = insertFrom(`${name}:fill`, column.name, table, TRIPS_OF_PART);
          await transaction.execute(insert, [after, through, asOf, horizon]);
        }),
      ],
    },
    erase: deleteTripsOfDriver,
    rows: (table) => `
      SELECT trip_date AS day, concat_ws('/', fleet_id, replace(trip_id::text, '-', '')) AS key,
        concat_ws('|', driver_id, octet_length(${column.name}), md5(${column.name})) AS value
      FROM ${table}`,
  };
}
