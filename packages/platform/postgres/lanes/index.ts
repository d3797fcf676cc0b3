export { FleetLanes, type LaneLoad } from './fleets.ts';
export { inEachLane } from './in-each-lane.ts';
export { FIRST_LANE, type Lane, listLanes } from './lanes.ts';
export { LanePools } from './pools.ts';
