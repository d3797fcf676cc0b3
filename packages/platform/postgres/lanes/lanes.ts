import type { Pool } from 'pg';
import { owningNode } from '../citus/owning-node.ts';
import { laneAt, type Part } from '../parts.ts';
import { partPool } from '../pool.ts';
import { query, statement } from '../statement.ts';

/** A lane in the directory's list. */
export interface Lane extends Part {
  /** Lanes are numbered from 0 in the order of their creation. */
  readonly number: number;
}

/** Lane 0 holds the records without a fleet and serves fleets without records. */
export const FIRST_LANE = 0;

const LIST_LANES = statement('list-lanes', { lane: 'number', schema: 'text', is_cluster: 'boolean' })`
  SELECT lane, schema, to_regclass('pg_dist_schema') IS NOT NULL AS is_cluster FROM listed_lane ORDER BY lane`;

/** Lists the lanes by number. */
export async function listLanes(directory: Pool): Promise<Lane[]> {
  const { url } = partPool(directory).part;
  const rows = await query(directory, LIST_LANES);
  return rows.map(({ lane, schema, is_cluster }) => {
    const listed = { ...laneAt(url, schema), number: lane };
    return is_cluster ? inCluster(listed) : listed;
  });
}

/** Returns a lane that connects to the node with its schema. The first lane always stays on the coordinator. */
export function inCluster(lane: Lane): Lane {
  return lane.number === FIRST_LANE ? lane : { ...lane, host: owningNode(lane.url, lane.schema) };
}
