export { type FleetOptions, simulateFleet } from './fleet.ts';
export { type StandardTripOptions, standardTrip } from './standard-trip.ts';
export type { SimulatedRecord } from './trip.ts';
