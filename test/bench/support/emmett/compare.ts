import { deepStrictEqual } from 'node:assert';
import { PROJECTIONS } from '@milepost/projections';
import { prepareGenerations } from '@milepost/projections/engine';
import { Pool } from 'pg';
import { ON_LANE } from '../../../support/database.ts';
import { deliver, openPool, projectAll } from '../../../support/pipeline.ts';
import { PEER_TABLES, peerTable, SUMS } from './projections.ts';

/** Stores the same records in a migrated, empty database and projects them to Milepost's read tables. */
export async function projectRecords(url: string, records: readonly string[]): Promise<void> {
  const pool = openPool(url);
  try {
    await prepareGenerations(pool, PROJECTIONS);
    await deliver(pool, records);
    await projectAll({ projector: pool });
  } finally {
    await pool.end();
  }
}

async function linesOf(database: Pool, query: string): Promise<string[]> {
  const { rows } = await database.query<{ line: string }>(`SELECT concat_ws('|', line.*) AS line FROM (${query}) line`);
  return rows.map(({ line }) => line).sort();
}

/**
 * For each day on which a driver drove, Milepost stores the running totals of the week, whereas the peer only stores
 * the totals of the whole week. Therefore, the last row of each week is compared.
 */
const LAST_OF_EACH_WEEK = `SELECT DISTINCT ON (fleet_id, driver_id, start_date) fleet_id, driver_id, start_date AS date, totals AS summary
  FROM weekly_rollups ORDER BY fleet_id, driver_id, start_date, through_date DESC`;

const FIGURES_OF_JSON = SUMS.map(
  (name) => `trim_scale(coalesce(summary::jsonb->>'${name}', summary::jsonb->'events_summary'->>'${name}')::numeric)`,
).join(', ');

/**
 * Throws unless the peer's tables equal Milepost's read tables: the number of trips, trip events and trail paths, and
 * the drivers, days and weeks with their sums.
 */
export async function compareWithPeer(milepostUrl: string, peerUrl: string, build: string): Promise<void> {
  const milepost = new Pool({ connectionString: milepostUrl, max: 1, ...ON_LANE });
  const peer = new Pool({ connectionString: peerUrl, max: 1 });
  try {
    const compare = async (what: string, milepostQuery: string, peerQuery: string) => {
      const [ours, others] = await Promise.all([linesOf(milepost, milepostQuery), linesOf(peer, peerQuery)]);
      deepStrictEqual(others, ours, `The peer's ${what} differ from Milepost's.`);
    };
    for (const name of PEER_TABLES) {
      if (name === 'weekly_rollups') continue;
      await compare(
        `rows of ${name}`,
        `SELECT count(*) FROM ${name}`,
        `SELECT count(*) FROM ${peerTable(name, build)}`,
      );
    }
    const key = 'fleet_id, driver_id, date';
    for (const [name, rows] of [
      ['daily_rollups', 'SELECT * FROM daily_rollups'],
      ['weekly_rollups', LAST_OF_EACH_WEEK],
    ] as const) {
      await compare(
        name,
        `SELECT ${key}, ${FIGURES_OF_JSON} FROM (${rows}) rollup`,
        `SELECT ${key}, ${SUMS.map((sum) => `trim_scale(${sum})`).join(', ')} FROM ${peerTable(name, build)}`,
      );
    }
    const days = ['first_travel_date', 'last_travel_date'];
    await compare(
      'drivers',
      `SELECT fleet_id, driver_id, ${days.map((day) => `profile::jsonb->>'${day}'`).join(', ')} FROM drivers`,
      `SELECT fleet_id, driver_id, ${days.join(', ')} FROM ${peerTable('drivers', build)}`,
    );
  } finally {
    await Promise.all([milepost.end(), peer.end()]);
  }
}
