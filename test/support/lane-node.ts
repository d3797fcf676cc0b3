import type { Pool } from '@milepost/postgres';

/** The part of a coordinator's catalog that Milepost reads. */
const CATALOG = `
  CREATE VIEW pg_dist_schema AS SELECT pg_namespace.oid AS schemaid, lane AS colocationid
    FROM lane_node JOIN lane USING (lane) JOIN pg_namespace ON nspname = schema;
  CREATE VIEW pg_dist_partition AS SELECT lane AS colocationid, lane AS logicalrelid FROM lane_node;
  CREATE VIEW pg_dist_shard AS SELECT lane AS logicalrelid, lane AS shardid FROM lane_node;
  CREATE VIEW pg_dist_placement AS SELECT lane AS shardid, lane AS groupid FROM lane_node;
  CREATE VIEW pg_dist_node AS SELECT lane AS groupid, '127.0.0.1'::text AS nodename, port AS nodeport,
    'primary'::text AS noderole FROM lane_node`;

/**
 * Puts a lane on a node that listens on a local port, as in a Citus cluster. The other lanes stay on the server in
 * their URL. That server counts as the coordinator.
 *
 * @param directory the superuser's connections
 */
export async function putOnNode(directory: Pool, lane: number, port: number): Promise<void> {
  await directory.query(`CREATE TABLE lane_node AS SELECT ${lane} AS lane, ${port} AS port;${CATALOG}`);
}

/** Moves the lane back to the server in its URL. */
export async function takeFromNode(directory: Pool): Promise<void> {
  await directory.query('DROP TABLE lane_node CASCADE');
}
