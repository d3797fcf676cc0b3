import type { Projection } from '@milepost/projection-engine';
import { bodyProjection } from '../log/body-projection.ts';

/** The trip events of each trip that has any, as the JSON array that the trip detail serves. */
export const tripEvents: Projection = bodyProjection({
  name: 'trip_events',
  version: 1,
  column: { name: 'events', type: 'text' },
});
