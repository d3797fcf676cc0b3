import type { TripEvent } from '@milepost/client';
import { expect, it } from 'vitest';
import { EXAMPLE_TRIP } from '../../../../test/support/console/example-trip.ts';
import { tripEvent } from '../../../../test/support/records.ts';
import { eventFacts, eventSeconds, isEventOnMap, mapTrip } from './map-trip.ts';

const START = EXAMPLE_TRIP.trip_start_time;

function phoneUse(overrides: Partial<TripEvent> = {}): TripEvent {
  const place = { event_start_latitude: 40.11, event_start_longitude: -74.11 };
  return { ...tripEvent(7, START + 5_000, 90_000), ...place, ...overrides };
}

it('eventFacts names the mean speed, the highest speed and the limit, in the chosen units', () => {
  const [overspeeding] = EXAMPLE_TRIP.events;
  if (!overspeeding) throw new Error('The example has no trip event.');
  expect(eventFacts(overspeeding, 'miles')).toBe('66 mph (max 71 mph) where the limit is 55 mph');
  expect(eventFacts(overspeeding, 'kilometres')).toBe('106 km/h (max 113 km/h) where the limit is 89 km/h');
});

it('eventFacts is empty if any of the speeds is missing', () => {
  expect(eventFacts(phoneUse(), 'miles')).toBe('');
  const speeds = { user_speed_mph: 0, speed_limit_mph: 0, max_user_speed_mph: 0 };
  expect(eventFacts(phoneUse({ event_data: speeds }), 'miles')).toBe('0 mph (max 0 mph) where the limit is 0 mph');
  for (const name of ['user_speed_mph', 'speed_limit_mph', 'max_user_speed_mph'] as const) {
    const { [name]: _removed, ...others } = speeds;
    expect(eventFacts(phoneUse({ event_data: others }), 'miles'), name).toBe('');
  }
});

it('eventSeconds is the time from start to end, and never negative', () => {
  expect(eventSeconds(phoneUse())).toBe(90);
  expect(eventSeconds(phoneUse({ event_end_timestamp: START + 5_500 }))).toBe(0.5);
  expect(eventSeconds(phoneUse({ event_end_timestamp: START }))).toBe(0);
});

it('isEventOnMap considers only the start of a trip event', () => {
  expect(isEventOnMap(phoneUse({ event_end_latitude: 91, event_end_longitude: 361 }))).toBe(true);
  expect(isEventOnMap(phoneUse({ event_start_latitude: 91 }))).toBe(false);
  expect(isEventOnMap(phoneUse({ event_start_longitude: 361 }))).toBe(false);
});

it('mapTrip returns the path in chronological order, the sections, both ends and all trip events', () => {
  const trip = {
    ...EXAMPLE_TRIP,
    start_latitude: 40.09,
    end_longitude: -74.21,
    trail_path: EXAMPLE_TRIP.trail_path.toReversed(),
    events: [...EXAMPLE_TRIP.events, phoneUse(), phoneUse({ event_start_latitude: -91 })],
  };
  const phone = { letter: 'P', title: 'Phone use at 08:00:05 UTC', lines: ['For 1 min 30 s'] };
  expect(mapTrip(trip, 'miles', 'the trip')).toEqual({
    name: 'the trip',
    path: [
      [40.1, -74.1],
      [40.2, -74.2],
    ],
    speeding: [
      {
        places: [
          [expect.closeTo(40.1 + 1 / 30), expect.closeTo(-74.1 - 1 / 30)],
          [expect.closeTo(40.1 + 11 / 300), expect.closeTo(-74.1 - 11 / 300)],
        ],
        over_mph: 15.5,
      },
    ],
    start: [40.09, -74.1],
    end: [40.2, -74.21],
    events: [
      {
        place: [40.15, -74.15],
        letter: 'O',
        title: 'Overspeeding at 08:10:00 UTC',
        lines: ['For 1 min', '66 mph (max 71 mph) where the limit is 55 mph'],
      },
      { ...phone, place: [40.11, -74.11] },
      { ...phone, place: null },
    ],
  });
});
