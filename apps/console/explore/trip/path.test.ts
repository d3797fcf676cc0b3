import type { TripEvent } from '@milepost/client';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyTrip } from '../../../../test/support/arbitrary-records.ts';
import { anyTimestamp } from '../../../../test/support/console/arbitrary-values.ts';
import { tripEvent } from '../../../../test/support/records.ts';
import { isPlace, placeAt, sortedPlaces, speedingSections } from './path.ts';

const trail = [0, 10, 20, 40].map((time) => ({ timestamp: time, latitude: time, longitude: -time, course: 0 }));

function speeding(start: number, end: number, data: TripEvent['event_data'] = {}): TripEvent {
  return { ...tripEvent(9, start, end - start), event_data: data };
}

it.each([
  [-5, 0],
  [0, 0],
  [5, 5],
  [10, 10],
  [30, 30],
  [40, 40],
  [99, 40],
])('placeAt returns a place between the points before and after the time %d', (time, degrees) => {
  expect(placeAt(trail, time)?.map(Math.abs)).toEqual([degrees, degrees]);
  expect(placeAt(trail, time)?.map((each) => each < 0)).toEqual([false, degrees > 0]);
});

it('placeAt returns the first of several points with the same time', () => {
  const stop = [1, 2, 3].map((latitude) => ({ timestamp: 10, latitude, longitude: -latitude, course: 0 }));
  expect(placeAt(stop, 10)).toEqual([1, -1]);
});

it.each([
  [90, 360, true],
  [-90, -360, true],
  [90.1, 0, false],
  [-90.1, 0, false],
  [0, 360.1, false],
  [0, -360.1, false],
])('isPlace for the latitude %d and the longitude %d is %s', (latitude, longitude, isValid) => {
  expect(isPlace(latitude, longitude)).toBe(isValid);
});

it("placeAt and speedingSections find nothing on an empty trail, and a trail of one point is at the point's place", () => {
  expect(placeAt([], 5)).toBeNull();
  expect(speedingSections([], [speeding(5, 30)])).toEqual([]);
  expect(placeAt(trail.slice(1, 2), 99)).toEqual([10, -10]);
});

it('sortedPlaces sorts a trail by time and omits points with invalid coordinates', () => {
  const nowhere = [Number.MAX_VALUE, -90.1].map((latitude) => ({ timestamp: 5, latitude, longitude: 0, course: 0 }));
  expect(sortedPlaces([...trail, ...nowhere].reverse()).map(({ timestamp }) => timestamp)).toEqual([0, 10, 20, 40]);
});

it('speedingSections returns the sections with overspeeding, from start to end', () => {
  const data = { user_speed_mph: 60, speed_limit_mph: 55, max_user_speed_mph: 67.5 };
  const phoneUse: TripEvent = { ...speeding(0, 40), event_name: 'PHONE_USE' };
  const [section, ...others] = speedingSections(trail, [speeding(5, 30, data), phoneUse]);
  expect(others).toEqual([]);
  expect(section?.places.map(([latitude]) => latitude)).toEqual([5, 10, 20, 30]);
  expect(section?.over_mph).toBe(12.5);
});

it('speedingSections includes points exactly at the start and the end, and none outside', () => {
  const [section] = speedingSections(trail, [speeding(10, 20)]);
  expect(section?.places).toEqual([10, 10, 20, 20].map((degrees) => [degrees, -degrees]));
});

it.each([
  ['without speeds', {}, 0],
  ['below the limit', { user_speed_mph: 50, speed_limit_mph: 55, max_user_speed_mph: 54 }, 0],
  ['above the limit', { user_speed_mph: 50, speed_limit_mph: 55, max_user_speed_mph: 55.5 }, 0.5],
])('speedingSections compares the highest speed with the limit: %s', (_what, data, over) => {
  expect(speedingSections(trail, [speeding(5, 30, data)])[0]?.over_mph).toBe(over);
});

it('placeAt returns a place in range for every trip and time', () => {
  fc.assert(
    fc.property(anyTrip, anyTimestamp, ({ trail_path, events }, time) => {
      const places = sortedPlaces(trail_path);
      const found = [placeAt(places, time), ...speedingSections(places, events).flatMap((section) => section.places)];
      for (const place of found) if (place !== null) expect(isPlace(...place)).toBe(true);
      expect(found[0] === null).toBe(places.length === 0);
    }),
  );
});
