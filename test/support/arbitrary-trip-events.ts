/** Trip events for property tests, with realistic or arbitrary finite numbers. */

import { TRIP_EVENT_NAMES, type TripEvent, type TripEventType } from '@milepost/domain/vocabulary';
import fc from 'fast-check';

/**
 * As text, some of these numbers share a prefix, some are prefixes of others, and some share more characters than the
 * codec can omit.
 */
const alike = fc.constantFrom(0, -0, 1, -1, 39.158553, 39.15855, 39.1585531234567, -0.5, 1e21, 1e-7, 1795218436235);
const finite = fc.oneof(alike, fc.double({ noNaN: true, noDefaultInfinity: true }));
const speeds = fc.record(
  { user_speed_mph: finite, speed_limit_mph: finite, max_user_speed_mph: finite },
  { noNullPrototype: true },
);

const tripEvent = fc.constantFrom<TripEventType>(1, 2, 7, 9).chain(
  (event_type): fc.Arbitrary<TripEvent> =>
    fc.record(
      {
        event_type: fc.constant(event_type),
        event_name: fc.constant(TRIP_EVENT_NAMES[event_type]),
        event_start_timestamp: fc.maxSafeInteger(),
        event_end_timestamp: fc.maxSafeInteger(),
        event_start_latitude: finite,
        event_start_longitude: finite,
        event_end_latitude: finite,
        event_end_longitude: finite,
        event_data: event_type === 9 ? speeds : fc.constant({}),
      },
      { noNullPrototype: true },
    ),
);

export const anyTripEvents: fc.Arbitrary<TripEvent[]> = fc.array(tripEvent, { maxLength: 6 });
