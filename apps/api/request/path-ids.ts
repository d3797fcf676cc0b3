/** As records may name a driver (packages/domain/records); the `u` flag counts code points, not UTF-16 units. */
const DRIVER_ID = /^[^\p{Cc}\p{Cs}]{1,256}$/u;
/** U+0000 cannot be stored as text and would make PostgreSQL fail. */
const TRACKING_ID = /^[^\0\p{Cs}]{1,256}$/u;
const TRIP_ID = /^[0-9a-f]{32}$/;

/** Whether a driver may have this id. */
export function isDriverId(id: string): boolean {
  return DRIVER_ID.test(id);
}

/** Whether a trip may have this tracking id. */
export function isTrackingId(id: string): boolean {
  return TRACKING_ID.test(id);
}

/** Whether a trip may have this id; the database would also take uppercase and hyphens. */
export function isTripId(id: string): boolean {
  return TRIP_ID.test(id);
}
