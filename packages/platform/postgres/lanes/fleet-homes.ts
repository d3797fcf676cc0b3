import type { Pool } from 'pg';
import { execute, query, queryRow, statement } from '../statement.ts';
import { findLanes, PLACE_FLEETS } from './fleets.ts';

/** Places fleets in a lane, except fleets that are already in one. */
export async function addFleets(directory: Pool, fleetIds: readonly string[], lane: number): Promise<void> {
  await execute(directory, PLACE_FLEETS, [fleetIds, fleetIds.map(() => lane)]);
}

/** Returns a fleet's lane; undefined when it has none yet. */
export async function findLaneOfFleet(directory: Pool, fleetId: string): Promise<number | undefined> {
  return (await findLanes(directory, [fleetId])).get(fleetId);
}

const FIND_HOME = statement('find-home-of-fleet', { lane: 'number?' })`
  SELECT coalesce((SELECT lane FROM fleet WHERE fleet_id = $1), (SELECT 0 FROM lane HAVING count(*) = 1)) AS lane`;

/** Returns the only lane that may store a fleet's records; null while it has no lane and there are several. */
export async function findHomeOfFleet(directory: Pool, fleetId: string): Promise<number | null> {
  return (await queryRow(directory, FIND_HOME, [fleetId])).lane;
}

const LIST_LANES_OF_FLEET = statement('list-lanes-of-fleet', { lane: 'number' })`
  SELECT lane FROM fleet WHERE fleet_id = $1
  UNION SELECT from_lane FROM fleet_move WHERE fleet_id = $1
  UNION SELECT to_lane FROM fleet_move WHERE fleet_id = $1`;

/** Returns the lanes that may contain a fleet's stored events: its own lane and those involved in its moves. */
export async function listLanesOfFleet(directory: Pool, fleetId: string): Promise<number[]> {
  return (await query(directory, LIST_LANES_OF_FLEET, [fleetId])).map(({ lane }) => lane);
}

const FIND_MOVE = statement('find-move-of-fleet', { to_lane: 'number' })`
  SELECT to_lane FROM fleet_move WHERE fleet_id = $1 AND ended_at IS NULL`;

/** Returns the lane to which a fleet is being moved; null when it is not being moved. */
export async function findMoveOfFleet(directory: Pool, fleetId: string): Promise<number | null> {
  const [move] = await query(directory, FIND_MOVE, [fleetId]);
  return move?.to_lane ?? null;
}
