import { expect, it } from 'vitest';
import { drawDrivers } from './driver.ts';
import { nightMilliseconds } from './trip.ts';

it('a driver is the same in a fleet of any size', () => {
  expect(drawDrivers(11, 40, 'fleet')).toEqual(drawDrivers(11, 400, 'fleet').slice(0, 40));
});

it.each([
  ['2026-07-02T03:00:00Z', '2026-07-02T05:00:00Z', 'America/New_York', 1],
  ['2026-01-02T03:00:00Z', '2026-01-02T05:00:00Z', 'America/New_York', 0],
  ['2026-01-02T05:00:00Z', '2026-01-02T12:00:00Z', 'America/New_York', 4],
  ['2026-01-01T20:00:00Z', '2026-01-03T06:00:00Z', 'America/New_York', 5],
  ['2026-07-02T06:30:00Z', '2026-07-02T07:30:00Z', 'America/Phoenix', 0.5],
])('a trip from %s to %s in %s is at night, from 0:00 to 4:00, for %d hours', (start, end, timeZone, hours) => {
  expect(nightMilliseconds(Date.parse(start), Date.parse(end), timeZone)).toBe(hours * 3_600_000);
});
