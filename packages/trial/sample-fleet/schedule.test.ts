import { describe, expect, it } from 'vitest';
import { drawDrivers } from './driver.ts';
import { DRIVER_TYPE_SHARES, type DriverType, TRIPS_A_DAY } from './figures.ts';
import { planDay, type TripPlan } from './schedule.ts';
import { nightMilliseconds } from './trip.ts';

const DRIVERS = drawDrivers(11, 400, 'fleet');
const FIRST_DAY = 20_700;
const WEEKS = 8;

/** Returns the plans for each working day of all drivers of one type. */
function daysOf(type: DriverType): TripPlan[][] {
  return DRIVERS.filter((driver) => driver.type === type).flatMap((driver) => {
    let freeFrom = 0;
    return Array.from({ length: WEEKS * 7 }, (_, day) => day + FIRST_DAY)
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

describe('drawDrivers', () => {
  it('draws the specified shares of driver types, idle drivers and drivers without names', () => {
    const share = (count: number) => count / DRIVERS.length;
    for (const type of ['office_car', 'field_service', 'ride_hail'] as const) {
      const found = share(DRIVERS.filter((driver) => driver.type === type).length);
      expect(found).toBeCloseTo(DRIVER_TYPE_SHARES[type], 1);
    }
    expect(share(DRIVERS.filter((driver) => driver.neverDrove).length)).toBeCloseTo(0.1, 2);
    expect(share(DRIVERS.filter((driver) => driver.profile.first_name === null).length)).toBeCloseTo(0.05, 2);
    expect(new Set(DRIVERS.map((driver) => driver.profile.driver_id)).size).toBe(DRIVERS.length);
  });

  it('draws the same driver for every size of the fleet', () => {
    expect(drawDrivers(11, 40, 'fleet')).toEqual(DRIVERS.slice(0, 40));
  });
});

describe('planDay', () => {
  it.each(['office_car', 'field_service', 'ride_hail'] as const)(
    'plans the trips per day and the idle days of %s, without overlaps',
    (type) => {
      const days = daysOf(type);
      const driven = days.filter((plans) => plans.length > 0);
      const idleShare = 1 - driven.length / days.length;
      expect(idleShare).toBeGreaterThan(0.18);
      expect(idleShare).toBeLessThan(0.27);
      // The specified mean includes the days for which zero was drawn. They count as idle days here, so `lift` corrects
      // for them.
      const mean = driven.reduce((sum, plans) => sum + plans.length, 0) / driven.length;
      const lift = { office_car: 0.895, field_service: 0.964, ride_hail: 0.964 }[type];
      expect((mean * lift) / TRIPS_A_DAY[type]).toBeCloseTo(1, 1);
    },
  );

  it('begins no trip before the last trip of the previous day has ended', () => {
    const driver = DRIVERS.find(({ type, neverDrove }) => type === 'field_service' && !neverDrove);
    if (!driver) throw new Error('The fleet has no field service driver.');
    const day = Array.from({ length: 14 }, (_, offset) => FIRST_DAY + offset).find(
      (candidate) => planDay(11, driver, candidate, 0).length > 0,
    );
    const free = ((day ?? 0) + 1) * 86_400_000;
    expect(planDay(11, driver, day ?? 0, 0)[0]?.startTime).toBeLessThan(free);
    expect(planDay(11, driver, day ?? 0, free)[0]?.startTime).toBeGreaterThanOrEqual(free);
  });

  it('combines insurance periods 1, 2 and 3 into rides, with one tracking id for 2 and 3', () => {
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
});

describe('nightMilliseconds', () => {
  const hour = 3_600_000;
  const at = (time: string) => Date.parse(time);

  it('counts from midnight to 4:00 local time, in summer and in winter', () => {
    const night = (start: string, end: string) => nightMilliseconds(at(start), at(end), 'America/New_York') / hour;
    expect(night('2026-07-02T03:00:00Z', '2026-07-02T05:00:00Z')).toBe(1);
    expect(night('2026-01-02T03:00:00Z', '2026-01-02T05:00:00Z')).toBe(0);
    expect(night('2026-01-02T05:00:00Z', '2026-01-02T12:00:00Z')).toBe(4);
    expect(night('2026-01-01T20:00:00Z', '2026-01-03T06:00:00Z')).toBe(5);
  });

  it('keeps Phoenix on standard time all year', () => {
    expect(nightMilliseconds(at('2026-07-02T06:30:00Z'), at('2026-07-02T07:30:00Z'), 'America/Phoenix')).toBe(hour / 2);
  });
});
