import { type EventSummary, TRIP_EVENT_TYPES, type TripEvent, type TripEventType } from '../vocabulary.ts';

const MILLISECONDS_PER_SECOND = 1000;

/**
 * The summary of a trip whose record brings none: how many trip events of each type, and how long phone use and
 * overspeeding lasted together; one that ends before it starts lasted no time. Milliseconds are added up and divided once, so
 * the sum does not depend on the order.
 *
 * @param shortest milliseconds that a trip event lasts at least; less than 0 only for what was stored before there was a least
 */
export function deriveEventSummary(events: readonly TripEvent[], shortest = 0): EventSummary {
  const milliseconds = (event: TripEvent) =>
    Math.max(shortest, event.event_end_timestamp - event.event_start_timestamp);
  const count = (type: TripEventType) => events.reduce((sum, event) => sum + (event.event_type === type ? 1 : 0), 0);
  const seconds = (type: TripEventType) =>
    events.reduce((sum, event) => sum + (event.event_type === type ? milliseconds(event) : 0), 0) /
    MILLISECONDS_PER_SECOND;
  return {
    phone_use_count: count(TRIP_EVENT_TYPES.PHONE_USE),
    rapid_acceleration_count: count(TRIP_EVENT_TYPES.RAPID_ACCELERATION),
    hard_brake_count: count(TRIP_EVENT_TYPES.HARD_BRAKE),
    overspeeding_count: count(TRIP_EVENT_TYPES.OVERSPEEDING),
    phone_use_time_seconds: seconds(TRIP_EVENT_TYPES.PHONE_USE),
    overspeeding_time_seconds: seconds(TRIP_EVENT_TYPES.OVERSPEEDING),
  };
}
