export {
  addFleets,
  FleetLanes,
  findHomeOfFleet,
  findLaneOfFleet,
  findMoveOfFleet,
  type LaneLoad,
  listLanesOfFleet,
} from './fleets.ts';
export { inEachLane } from './in-each-lane.ts';
export { addLane, FIRST_LANE, type Lane, listLanes, locateLane, newLane } from './lanes.ts';
export { type LaneAccess, LanePools, RolePools } from './pools.ts';
