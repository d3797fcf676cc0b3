import { expect, it } from 'vitest';
import { drawDrivers } from './driver.ts';
import { planDay, type TripPlan } from './schedule.ts';
import { nightMilliseconds } from './trip.ts';

const DRIVERS = drawDrivers(11, 400, 'fleet');
const FIRST_DAY = 20_700;
const DAYS = 56;

/** Returns the plans for each working day of all drivers of one type, and checks that no two of them overlap. */
function daysOf(type: string): TripPlan[][] {
  return DRIVERS.filter((driver) => driver.type === type).flatMap((driver) => {
    let freeFrom = 0;
    return Array.from({ length: DAYS }, (_, day) => day + FIRST_DAY)
      .filter((day) => !driver.daysOff.includes((day + 4) % 7))
      .map((day) => {
        const plans = planDay(11, driver, day, freeFrom);
        for (const plan of plans) {
          expect(plan.startTime).toBeGreaterThanOrEqual(freeFrom);
          freeFrom = plan.startTime + plan.durationMilliseconds;
        }
        return plans;
      });
  });
}

it('the drivers have the specified types, some never drove, and some have no names', () => {
  const share = (is: (driver: (typeof DRIVERS)[number]) => boolean) => DRIVERS.filter(is).length / DRIVERS.length;
  expect(share(({ type }) => type === 'office_car')).toBeCloseTo(0.55, 1);
  expect(share(({ type }) => type === 'field_service')).toBeCloseTo(0.3, 1);
  expect(share(({ neverDrove }) => neverDrove)).toBeCloseTo(0.1, 2);
  expect(share(({ profile }) => profile.first_name === null)).toBeCloseTo(0.05, 2);
  expect(new Set(DRIVERS.map((driver) => driver.profile.driver_id)).size).toBe(DRIVERS.length);
});

it('a driver is the same in a fleet of any size', () => {
  expect(drawDrivers(11, 40, 'fleet')).toEqual(DRIVERS.slice(0, 40));
});

// The means of 2.5, 6 and 18 include days for which zero was drawn. This test counts those days as idle.
it.each([
  ['office_car', 2.5 / 0.895],
  ['field_service', 6 / 0.964],
  ['ride_hail', 18 / 0.964],
])('planDay plans the trips per day and the idle days of %s, without overlaps', (type, expected) => {
  const days = daysOf(type);
  const driven = days.filter((plans) => plans.length > 0);
  expect(1 - driven.length / days.length).toBeGreaterThan(0.18);
  expect(1 - driven.length / days.length).toBeLessThan(0.27);
  expect(driven.flat().length / driven.length / expected).toBeCloseTo(1, 1);
});

it('planDay combines insurance periods 1, 2 and 3 into rides, with one tracking id for 2 and 3', () => {
  const legs = daysOf('ride_hail').flat();
  expect(legs.length).toBeGreaterThan(1000);
  for (let ride = 0; ride < legs.length; ride += 3) {
    const [first, second, third] = legs.slice(ride, ride + 3);
    expect([first, second, third].map((leg) => leg?.insurancePeriod)).toEqual([1, 2, 3]);
    expect(first?.trackingId).toBeNull();
    expect(second?.trackingId).toBe(third?.trackingId);
  }
  expect(new Set(legs.map((leg) => leg.trackingId)).size).toBe(legs.length / 3 + 1);
  const mean = (period: number) => {
    const miles = legs.filter((leg) => leg.insurancePeriod === period).map((leg) => leg.miles);
    return miles.reduce((sum, value) => sum + value, 0) / miles.length;
  };
  expect([mean(1), mean(2), mean(3)].map((miles) => Math.round(miles * 10) / 10)).toEqual([1.5, 1.5, 5.2]);
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
