import type { Statement } from '@milepost/postgres';
import type { Projection } from '@milepost/projection-engine';
import { NEW_TRIPS, SUPERSEDED_TRIPS } from './range.ts';

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

function insertNew(name: string, column: string, table: string): Statement {
  return {
    name: `${name}:insert:${table}`,
    text: `INSERT INTO ${table} (fleet_id, driver_id, trip_id, ${column})
           SELECT event.fleet_id, event.driver_id, event.trip_id, body.${column}
           FROM (SELECT event.* FROM ${NEW_TRIPS}) event JOIN log.trip_body body USING (position)
           WHERE body.position > $1 AND body.position <= $2 AND body.${column} IS NOT NULL
           ON CONFLICT DO NOTHING`,
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
        fleet_id text COLLATE "C" NOT NULL,
        driver_id text COLLATE "C" NOT NULL,
        ${column.name} ${column.type} NOT NULL,
        PRIMARY KEY (fleet_id, driver_id, trip_id)
      );`,
    async apply(transaction, { after, through }, table) {
      await transaction.execute(deleteSuperseded(name, table), [after, through]);
      await transaction.execute(insertNew(name, column.name, table), [after, through]);
    },
  };
}
