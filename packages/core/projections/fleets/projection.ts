import { table, tableStatement } from '@milepost/postgres/table-statement';
import { byPosition, type Projection } from '../engine/index.ts';

const CHUNK_POSITIONS = 50_000;

/** Updates fleets in a fixed order, so that concurrent chunks of a replay cannot deadlock. */
const raise = tableStatement('fleets:raise')`
  WITH last AS (
    SELECT fleet_id, max(position) AS position FROM stored_event WHERE position > $1 AND position <= $2
    GROUP BY fleet_id ORDER BY fleet_id)
  INSERT INTO ${table} AS fleet (fleet_id, position) SELECT fleet_id, position FROM last
  ON CONFLICT (fleet_id) DO UPDATE SET position = excluded.position WHERE fleet.position < excluded.position`;

/**
 * One row per fleet, with the position of its last stored event, effective or not. Responses for the fleet report this
 * position.
 */
export const fleets: Projection = {
  name: 'fleets',
  version: 1,
  // The key is created with the table rather than with the indexes, because the fill needs it. Half of each page stays
  // free for the new row versions of each batch.
  createTable: (table) => `
    CREATE TABLE ${table} (
      position bigint NOT NULL,
      fleet_id text COLLATE "C" PRIMARY KEY
    ) WITH (fillfactor = 50);`,
  createIndexes: () => '',
  async apply(transaction, { after, through }, table) {
    await transaction.execute(raise(table), [after, through]);
  },
  fill: {
    stages: [byPosition(CHUNK_POSITIONS, (transaction, range, { table }) => fleets.apply(transaction, range, table))],
  },
  // Each row results from the last stored event that names the fleet.
  audit: {
    fields: { position: ['max(position)', 'position'] },
    expected: (value) => `
      SELECT NULL::date AS day, fleet_id AS key, ${value} AS value
      FROM stored_event WHERE position <= $1 GROUP BY fleet_id`,
    actual: (table, value) => `SELECT NULL::date AS day, fleet_id AS key, ${value} AS value FROM ${table}`,
    causes: 'SELECT position FROM stored_event WHERE fleet_id = wanted.key ORDER BY position DESC LIMIT 1',
  },
  rows: (table) => `SELECT NULL::date AS day, fleet_id AS key, position::text AS value FROM ${table}`,
};
