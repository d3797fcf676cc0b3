import type { Pool } from 'pg';
import { execute, nullable, number, query, statement, text } from '../statement.ts';

const FIND_LANES = statement('find-lanes-of-fleets', { fleet_id: text, lane: number })`
  SELECT fleet_id, lane FROM fleet WHERE fleet_id = ANY ($1)`;

/**
 * The lanes with the fewest fleets get the new fleets in turn. A single statement decides: whichever process inserts the row of
 * a fleet first decides for all.
 */
const PLACE_FLEETS = statement('place-fleets')`
  INSERT INTO fleet (fleet_id, lane)
  SELECT fleet_id, lane
  FROM (SELECT fleet_id, row_number() OVER (ORDER BY fleet_id) - 1 AS turn FROM unnest($1::text[]) AS fleet_id) new
  JOIN (SELECT lane, row_number() OVER (ORDER BY (SELECT count(*) FROM fleet WHERE fleet.lane = lane.lane), lane) - 1 AS rank,
      count(*) OVER () AS lanes
    FROM lane WHERE lane = ANY ($2)) ranked ON rank = turn % lanes
  ON CONFLICT DO NOTHING`;

const ADD_FLEETS = statement('add-fleets')`
  INSERT INTO fleet (fleet_id, lane) SELECT fleet_id, $2 FROM unnest($1::text[]) AS fleet_id ON CONFLICT DO NOTHING`;

/** Records that fleets are in a lane, unless they are in one already. */
export async function addFleets(directory: Pool, fleetIds: readonly string[], lane: number): Promise<void> {
  await execute(directory, ADD_FLEETS, [fleetIds, lane]);
}

/** Returns the lane of a fleet; undefined when it has none yet. */
export async function findLaneOfFleet(directory: Pool, fleetId: string): Promise<number | undefined> {
  return (await findLanes(directory, [fleetId])).get(fleetId);
}

const FIND_HOME = statement('find-home-of-fleet', { lane: nullable(number) })`
  SELECT coalesce((SELECT lane FROM fleet WHERE fleet_id = $1), (SELECT 0 FROM lane HAVING count(*) = 1)) AS lane`;

/** Returns the only lane that may store the records of a fleet; null while the fleet has none of several lanes. */
export async function findHomeOfFleet(directory: Pool, fleetId: string): Promise<number | null> {
  const [home] = await query(directory, FIND_HOME, [fleetId]);
  return home?.lane ?? null;
}

async function findLanes(directory: Pool, fleetIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await query(directory, FIND_LANES, [fleetIds]);
  return new Map(rows.map(({ fleet_id, lane }) => [fleet_id, lane]));
}

/**
 * Returns the lane of each fleet. Fleets without a lane are placed: this is permanent.
 *
 * @param lanes the lanes among which new fleets are placed
 */
export async function placeFleets(
  directory: Pool,
  fleetIds: readonly string[],
  lanes: readonly number[],
): Promise<ReadonlyMap<string, number>> {
  const found = await findLanes(directory, fleetIds);
  const missing = fleetIds.filter((fleetId) => !found.has(fleetId));
  if (missing.length === 0) return found;
  await execute(directory, PLACE_FLEETS, [missing, lanes]);
  // Another process may have placed some of them meanwhile.
  return new Map([...found, ...(await findLanes(directory, missing))]);
}
