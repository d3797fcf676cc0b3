import type { Pool } from 'pg';
import { laneAt } from '../parts.ts';
import { DatabaseUnusableError } from '../server-check.ts';
import { execute, queryRow, statement } from '../statement.ts';
import { inCluster, type Lane } from './lanes.ts';

/** Returns the lane with this number on the server of `url`, even if the directory does not list it yet. */
export function newLane(url: string, number: number): Lane {
  return { ...laneAt(url, `milepost_lane_${number}`), number };
}

const READ_CLUSTER = statement('read-cluster', { is_loaded: 'boolean', is_cluster: 'boolean' })`
  SELECT current_setting('citus.version', true) IS NOT NULL AS is_loaded,
    to_regclass('pg_dist_schema') IS NOT NULL AS is_cluster`;

/**
 * Returns a new lane on the directory's server. If that server coordinates a Citus cluster, connections to the lane go
 * to the node that owns the lane's schema.
 *
 * @throws DatabaseUnusableError when the server has loaded Citus but the database lacks the extension
 */
export async function locateLane(directory: Pool, lane: Lane): Promise<Lane> {
  const { is_cluster, is_loaded } = await queryRow(directory, READ_CLUSTER);
  if (is_cluster) return inCluster(lane);
  if (is_loaded) {
    throw new DatabaseUnusableError(
      'The server has loaded Citus, but the database lacks the extension, so it cannot distribute lanes: run `CREATE EXTENSION citus` in it.',
    );
  }
  return lane;
}

const ADD_LANE = statement('add-lane')`
  INSERT INTO lane (lane, schema) VALUES ($1, $2) ON CONFLICT DO NOTHING`;

/** Adds a lane to the list, so that new fleets may be placed in it from now on. */
export async function addLane(directory: Pool, { number, schema }: Lane): Promise<void> {
  await execute(directory, ADD_LANE, [number, schema]);
}
