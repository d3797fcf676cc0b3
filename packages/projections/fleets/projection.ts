import type { Statement } from '@milepost/postgres';
import { byPosition, type Projection } from '../engine/index.ts';

const PART_POSITIONS = 50_000;

/** In the order of fleets: parts of a replay that run at once wait for each other instead of deadlocking. */
function raise(table: string): Statement {
  return {
    name: `fleets:raise:${table}`,
    text: `INSERT INTO ${table} AS fleet (fleet_id, position)
           SELECT fleet_id, max(position) FROM log.stored_event WHERE position > $1 AND position <= $2
           GROUP BY fleet_id ORDER BY fleet_id
           ON CONFLICT (fleet_id) DO UPDATE SET position = excluded.position WHERE fleet.position < excluded.position`,
  };
}

/** The position of each fleet's last stored event, with effect or without: how far the fleet's answers go. */
export const fleets: Projection = {
  name: 'fleets',
  version: 1,
  // The key is needed for the filling too. Half of a page is left for the rows that each batch writes anew.
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
    scratch: () => [],
    stages: [
      byPosition(PART_POSITIONS, async (transaction, { after, through }, { table }) => {
        await transaction.execute(raise(table), [after, through]);
      }),
    ],
  },
  // Nothing here is about a driver.
  erase: async () => {},
  rows: (table) => `SELECT NULL::date AS day, fleet_id AS key, position::text AS value FROM ${table}`,
};
