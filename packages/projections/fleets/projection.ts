import { table, tableStatement } from '@milepost/postgres';
import { auditedValue, byPosition, type Projection } from '../engine/index.ts';

const CHUNK_POSITIONS = 50_000;

/** In the order of fleets: chunks of a replay that run at once wait for each other instead of deadlocking. */
const raise = tableStatement('fleets:raise')`
  INSERT INTO ${table} AS fleet (fleet_id, position)
  SELECT fleet_id, max(position) FROM log.stored_event WHERE position > $1 AND position <= $2
  GROUP BY fleet_id ORDER BY fleet_id
  ON CONFLICT (fleet_id) DO UPDATE SET position = excluded.position WHERE fleet.position < excluded.position`;

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
      byPosition(CHUNK_POSITIONS, async (transaction, { after, through }, { table }) => {
        await transaction.execute(raise(table), [after, through]);
      }),
    ],
  },
  // Behind a row is the stored event at the last position at which the log names the fleet.
  audit: {
    fields: ['position'],
    expected: `
      SELECT NULL::date AS day, fleet_id AS key, ${auditedValue(['position'], { position: 'max(position)' })} AS value
      FROM log.stored_event WHERE position <= $1 GROUP BY fleet_id`,
    actual: (table) => `
      SELECT NULL::date AS day, fleet_id AS key, ${auditedValue(['position'], { position: 'position' })} AS value FROM ${table}`,
    behind: 'SELECT position FROM log.stored_event WHERE fleet_id = wanted.key ORDER BY position DESC LIMIT 1',
  },
  // Nothing here is about a driver.
  erase: async () => {},
  rows: (table) => `SELECT NULL::date AS day, fleet_id AS key, position::text AS value FROM ${table}`,
};
