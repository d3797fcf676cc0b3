/** A fleet id. As a JSON Schema pattern, its source means the same. */
export const FLEET_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** A `trip_id`. PostgreSQL's `uuid` type would also accept uppercase letters and hyphens. */
export const TRIP_ID = /^[0-9a-f]{32}$/;
