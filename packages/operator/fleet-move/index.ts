export { moveFleet } from './move-fleet.ts';
