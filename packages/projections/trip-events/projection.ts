import type { Projection } from '../engine/index.ts';
import { bodyProjection } from '../log/body-projection.ts';

/** The trip events of each trip that has any, in the compact form of packages/trip-event-codec. */
export const tripEvents: Projection = bodyProjection({
  name: 'trip_events',
  version: 2,
  // Packed already, so no other attempt is made.
  column: { name: 'trip_events', type: 'bytea STORAGE EXTERNAL' },
});
