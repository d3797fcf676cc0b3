import { expect, it } from 'vitest';
import type { TripEvent } from '../reports.ts';
import { inTime, placeAt, speedingSections } from './path.ts';

const trail = [0, 10, 20, 40].map((timestamp) => ({
  timestamp,
  latitude: timestamp,
  longitude: -timestamp,
  course: 0,
}));

function speeding(start: number, end: number, data: TripEvent['event_data'] = {}): TripEvent {
  return {
    event_type: 9,
    event_name: 'OVERSPEEDING',
    event_start_timestamp: start,
    event_end_timestamp: end,
    event_start_latitude: 0,
    event_start_longitude: 0,
    event_end_latitude: 0,
    event_end_longitude: 0,
    event_data: data,
  };
}

it.each([
  [-5, 0],
  [0, 0],
  [5, 5],
  [10, 10],
  [30, 30],
  [40, 40],
  [99, 40],
])('is between the points around %d', (time, latitude) => {
  expect(placeAt(trail, time)?.[0]).toBe(latitude);
});

it('is nowhere on an empty trail, and at the one point of a short one', () => {
  expect(placeAt([], 5)).toBeNull();
  expect(placeAt(trail.slice(1, 2), 99)).toEqual([10, -10]);
});

it('brings a trail into the order of time', () => {
  expect(inTime([...trail].reverse()).map(({ timestamp }) => timestamp)).toEqual([0, 10, 20, 40]);
});

it('cuts out what was driven too fast, from the first moment to the last', () => {
  const data = { user_speed_mph: 60, speed_limit_mph: 55, max_user_speed_mph: 67.5 };
  const [section, ...others] = speedingSections(trail, [
    speeding(5, 30, data),
    { ...speeding(0, 40), event_name: 'PHONE_USE' },
  ]);
  expect(others).toEqual([]);
  expect(section?.places.map(([latitude]) => latitude)).toEqual([5, 10, 20, 30]);
  expect(section?.over_mph).toBe(12.5);
});

it('finds nothing to draw without a trail', () => {
  expect(speedingSections([], [speeding(5, 30)])).toEqual([]);
});
