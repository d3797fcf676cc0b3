import type { Pool } from '@milepost/postgres';
import { FIRST_LANE } from '@milepost/postgres/lanes';
import { findLaneOfFleet } from '@milepost/postgres/lanes/fleet-homes';
import type { LaneAccess, RolePools } from '@milepost/postgres/lanes/role-pools';
import type { OperationContext } from './operation.ts';
import { Refusal } from './refusal.ts';

/** The services that a process needs to run operations. */
export interface LaneServices {
  /** The lanes, with connections made as the operator, ingest and eraser roles. */
  pools: RolePools;
  /** Connections to the directory, made as the operator role. */
  directory: Pool;
}

/** Finds a lane. Throws Refusal when the lane does not exist. */
export async function findLane(pools: RolePools, number: number): Promise<LaneAccess> {
  if (number === FIRST_LANE) return pools.first;
  const lanes = await pools.list();
  const lane = lanes.find((each) => each.number === number);
  if (lane) return lane;
  throw new Refusal({ code: 'lane_not_found', lane: number, last: lanes.length - 1 });
}

/** Returns the parameters of a change for the audit trail, including the lane unless it is the first one. */
export function withLane(parameters: object, lane: number): object {
  return lane === FIRST_LANE ? parameters : { ...parameters, lane };
}

/**
 * Returns the part of the context that depends on the lane. An operation runs in the lane that the caller names, or
 * else in the lane of the input's fleet, or else in the first lane.
 *
 * @throws Refusal when the named lane does not exist
 */
export async function laneContext(
  { pools, directory }: LaneServices,
  named: number | undefined,
  input: object,
): Promise<Pick<OperationContext, 'pool' | 'lane' | 'lanes' | 'findLane'>> {
  const fleetId = 'fleet_id' in input && typeof input.fleet_id === 'string' ? input.fleet_id : null;
  const ofFleet = named === undefined && fleetId !== null ? await findLaneOfFleet(directory, fleetId) : undefined;
  const lane = await findLane(pools, named ?? ofFleet ?? FIRST_LANE);
  return {
    pool: lane.pool,
    lane: lane.number,
    lanes: async () => (named === undefined ? await pools.list() : [lane]),
    findLane: async (number) => await findLane(pools, number),
  };
}
