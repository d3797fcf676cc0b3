import { hash } from 'node:crypto';

const TRIP_ID_HEX_DIGITS = 32;

/**
 * The `trip_id` of API responses: 32 lowercase hexadecimal digits, the first 16 bytes of the SHA-256 of
 * `fleetId/sourceTripId`. It is a pure function of the two, so no redelivery, revision or replay can change it. A fleet
 * id contains no slash, so two different trips never hash the same text.
 */
export function tripId(fleetId: string, sourceTripId: string): string {
  return hash('sha256', `${fleetId}/${sourceTripId}`, 'hex').slice(0, TRIP_ID_HEX_DIGITS);
}
