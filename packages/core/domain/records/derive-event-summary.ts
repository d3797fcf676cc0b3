import { type EventSummary, TRIP_EVENT_TYPES, type TripEvent, type TripEventType } from '../vocabulary.ts';

const MILLISECONDS_PER_SECOND = 1000;

/**
 * Derives the summary of a trip whose record does not contain a summary. The summary contains the number of trip events
 * of each type, and the total seconds of phone use and overspeeding. A trip event that ends before it starts counts as
 * 0 seconds. The durations are added in milliseconds and divided only once, so the sum does not depend on their order.
 *
 * @param minMilliseconds the minimum duration counted for a trip event; negative only to derive a summary as an earlier
 *   release did
 */
export function deriveEventSummary(events: readonly TripEvent[], minMilliseconds = 0): EventSummary {
  const milliseconds = (event: TripEvent) =>
    Math.max(minMilliseconds, event.event_end_timestamp - event.event_start_timestamp);
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
