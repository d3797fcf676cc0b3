export { simulateFleet } from './fleet.ts';
export { standardTrip } from './standard-trip.ts';
export type { SimulatedRecord } from './trip.ts';
