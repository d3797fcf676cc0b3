import { hash } from 'node:crypto';

const TRIP_ID_HEX_DIGITS = 32;

/**
 * The identity under which a trip is served: 32 lowercase hex digits, the first 16 bytes of the SHA-256 of
 * `fleetId/sourceTripId`. A pure function of the two, so no redelivery, revision or replay can change it.
 * A fleet id holds no slash, so two different trips never hash the same text.
 */
export function tripId(fleetId: string, sourceTripId: string): string {
  return hash('sha256', `${fleetId}/${sourceTripId}`, 'hex').slice(0, TRIP_ID_HEX_DIGITS);
}
