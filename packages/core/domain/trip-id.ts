import { hash } from 'node:crypto';

const TRIP_ID_HEX_DIGITS = 32;

/**
 * Returns the `trip_id` of API responses, which is the first 16 bytes of the SHA-256 of `fleetId/sourceTripId` as 32
 * lowercase hexadecimal digits. The `trip_id` depends only on these two ids, so redeliveries, revisions and replays
 * cannot change it. Fleet ids never contain a slash, so the hashed texts of two trips always differ.
 */
export function tripId(fleetId: string, sourceTripId: string): string {
  return hash('sha256', `${fleetId}/${sourceTripId}`, 'hex').slice(0, TRIP_ID_HEX_DIGITS);
}
