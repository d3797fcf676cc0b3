import { expect, it } from 'vitest';
import { TRIP_EVENT_NAMES, type TripEvent, type TripEventType } from '../vocabulary.ts';
import { deriveEventSummary } from './trip-processed.ts';

const tripEvent = (event_type: TripEventType, milliseconds: number): TripEvent => ({
  event_type,
  event_name: TRIP_EVENT_NAMES[event_type],
  event_start_timestamp: 1_736_928_000_000,
  event_end_timestamp: 1_736_928_000_000 + milliseconds,
  event_start_latitude: 0,
  event_start_longitude: 0,
  event_end_latitude: 0,
  event_end_longitude: 0,
  event_data: event_type === 9 ? { user_speed_mph: 60, speed_limit_mph: 50, max_user_speed_mph: 70 } : {},
});

it('deriveEventSummary counts each type, and adds up only the seconds of phone use and overspeeding', () => {
  const events = [
    tripEvent(7, 1_001),
    tripEvent(2, 5_000),
    tripEvent(1, 5_000),
    tripEvent(9, 250),
    tripEvent(2, 5_000),
    tripEvent(7, 2_002),
    tripEvent(9, 0),
    tripEvent(7, 3_003),
  ];
  expect(deriveEventSummary(events)).toEqual({
    phone_use_count: 3,
    rapid_acceleration_count: 1,
    hard_brake_count: 2,
    overspeeding_count: 2,
    phone_use_time_seconds: 6.006,
    overspeeding_time_seconds: 0.25,
  });
});

it('deriveEventSummary returns the same seconds for every order of the trip events', () => {
  const events = [tripEvent(7, 100), tripEvent(7, 200), tripEvent(7, 300)];
  expect(deriveEventSummary(events)).toEqual(deriveEventSummary(events.toReversed()));
  expect(deriveEventSummary(events).phone_use_time_seconds).toBe(0.6);
});

it('deriveEventSummary counts a trip event that ends before it starts, with zero seconds', () => {
  const events = [tripEvent(7, 3_000), tripEvent(7, -5_000), tripEvent(9, -1), tripEvent(9, 0)];
  expect(deriveEventSummary(events)).toMatchObject({
    phone_use_count: 2,
    overspeeding_count: 2,
    phone_use_time_seconds: 3,
    overspeeding_time_seconds: 0,
  });
});

it('deriveEventSummary returns zeros for a trip without trip events', () => {
  expect(Object.values(deriveEventSummary([]))).toEqual([0, 0, 0, 0, 0, 0]);
});
